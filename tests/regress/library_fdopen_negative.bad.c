//@ property: user.assert
//@ verdict: false
//@ engines: bmc-incremental
#include <assert.h>
#include <stdio.h>
int main(void)
{
    assert(fdopen(5, "r") == 0);
    return 0;
}
