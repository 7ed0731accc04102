//@ property: user.assert
//@ verdict: false
//@ engines: bmc-incremental
#include <assert.h>
#include <fenv.h>
int main(void)
{
    assert(fegetround() == FE_UPWARD);
    return 0;
}
