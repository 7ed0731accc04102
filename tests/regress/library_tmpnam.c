//@ check --property memory.bounds --engine bmc-incremental
//@ verdict true
#include <stdio.h>
int main(void)
{
    char b[L_tmpnam];
    tmpnam(b);
    return 0;
}
