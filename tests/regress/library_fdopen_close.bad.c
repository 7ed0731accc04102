//@ property: valid-memtrack
//@ verdict: false
//@ engines: bmc-incremental
#include <stdio.h>
int main(void)
{
    FILE *f = fdopen(1, "w");
    if (f)
    fputc(65, f);
    return 0;
}
