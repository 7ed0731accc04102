//@ property: memory.bounds
//@ verdict: false
//@ engines: bmc-incremental
#include <stdio.h>
int main(void)
{
    char b[4];
    tmpnam(b);
    return 0;
}
