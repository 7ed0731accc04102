//@ check --property user.assert --engine bmc-incremental
//@ verdict true
#include <assert.h>
#include <stdio.h>
int main(void)
{
    assert(puts("x") >= -1);
    return 0;
}
