//@ check --property valid-memsafety
//@ verdict true
#include <stdio.h>
int main(void)
{
    FILE *f = fdopen(1, "w");
    if (f)
    fclose(f);
    return 0;
}
