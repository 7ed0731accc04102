//@ check --property user.assert --engine bmc-incremental
//@ verdict false
#include <assert.h>
#include <stdio.h>
int main(void)
{
    assert(fflush(stdout) == 0);
    return 0;
}
