//@ check --property valid-memtrack --engine bmc-incremental
//@ verdict false
#include <stdio.h>
int main(void)
{
    FILE *f = fdopen(1, "w");
    if (f)
    fputc(65, f);
    return 0;
}
