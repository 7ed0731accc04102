//@ check --property user.assert --engine bmc-incremental
//@ verdict true
#include <assert.h>
#include <stdio.h>
int main(void)
{
    assert(fdopen(-5, "r") == 0);
    return 0;
}
