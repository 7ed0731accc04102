//@ check --property valid-memtrack --engine bmc-incremental
//@ verdict false
#include <stdio.h>
int main(void)
{
    FILE *f = fopen("a", "r");
    if (f)
    freopen("b", "r", f);
    return 0;
}
