//@ check --property valid-memtrack --engine bmc-incremental
//@ verdict true
#include <stdio.h>
int main(void)
{
    FILE *f = fdopen(1, "w");
    if (f)
    fclose(f);
    return 0;
}
