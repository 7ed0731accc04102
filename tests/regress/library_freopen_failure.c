//@ property: valid-memtrack
//@ verdict: true
//@ engines: bmc-incremental
#include <stdio.h>
int main(void)
{
    FILE *f = fopen("a", "r");
    if (f && freopen("b", "r", f))
    fclose(f);
    return 0;
}
