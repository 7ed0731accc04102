//@ check --property memory.bounds --engine bmc-incremental
//@ verdict false
#include <stdio.h>
int main(void)
{
    char b[4];
    tmpnam(b);
    return 0;
}
