//@ property: user.assert
//@ verdict: false
//@ engines: bmc-incremental
#include <assert.h>
#include <stdio.h>
int main(void)
{
    assert(puts("x") <= 1);
    return 0;
}
