//@ check --property user.assert --engine bmc-incremental
//@ verdict false
#include <assert.h>
#include <stdio.h>
int main(void)
{
    long x = 0;
    if (scanf("%15li", &x) == 1)
    assert(x < 1000000000000000);
    return 0;
}
