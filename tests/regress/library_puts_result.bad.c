//@ check --property user.assert --engine bmc-incremental
//@ verdict false
#include <assert.h>
#include <stdio.h>
int main(void)
{
    assert(puts("x") <= 1);
    return 0;
}
