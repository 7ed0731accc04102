//@ check --property user.assert --engine bmc-incremental
//@ verdict true
#include <assert.h>
#include <stdio.h>
int main(void)
{
    assert(fflush(stdout) == 0 || fflush(stdout) <= 0);
    return 0;
}
