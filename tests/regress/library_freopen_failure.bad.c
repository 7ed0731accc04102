//@ property: valid-memtrack
//@ verdict: false
//@ engines: bmc-incremental
#include <stdio.h>
int main(void)
{
    FILE *f = fopen("a", "r");
    if (f)
    freopen("b", "r", f);
    return 0;
}
