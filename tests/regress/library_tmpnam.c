//@ property: memory.bounds
//@ verdict: true
//@ engines: bmc-incremental
#include <stdio.h>
int main(void)
{
    char b[L_tmpnam];
    tmpnam(b);
    return 0;
}
