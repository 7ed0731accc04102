//@ check --property valid-memsafety
//@ verdict false(valid-memtrack)
#include <stdio.h>
int main(void)
{
    FILE *f = fopen("a", "r");
    if (f)
    freopen("b", "r", f);
    return 0;
}
