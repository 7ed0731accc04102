//@ property: user.assert
//@ verdict: false
//@ engines: bmc-incremental
#include <assert.h>
#include <stdio.h>
int main(void)
{
    assert(fflush(stdout) == 0);
    return 0;
}
