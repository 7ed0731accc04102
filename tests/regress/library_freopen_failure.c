//@ check --property valid-memtrack --engine bmc-incremental
//@ verdict true
#include <stdio.h>
int main(void)
{
    FILE *f = fopen("a", "r");
    if (f && freopen("b", "r", f))
    fclose(f);
    return 0;
}
