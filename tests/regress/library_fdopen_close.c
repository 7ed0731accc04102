//@ property: valid-memtrack
//@ verdict: true
//@ engines: bmc-incremental
#include <stdio.h>
int main(void)
{
    FILE *f = fdopen(1, "w");
    if (f)
    fclose(f);
    return 0;
}
