//@ check --property user.assert --engine bmc-incremental
//@ verdict true
#include <assert.h>
#include <stdio.h>
int main(void)
{
    long x = 0;
    if (scanf("%15li", &x) == 1)
    assert(x < 10000000000000000);
    return 0;
}
