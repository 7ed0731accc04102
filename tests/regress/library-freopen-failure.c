//@ check --property valid-memsafety
//@ verdict true
#include <stdio.h>
int main(void)
{
    FILE *f = fopen("a", "r");
    if (f && freopen("b", "r", f))
    fclose(f);
    return 0;
}
