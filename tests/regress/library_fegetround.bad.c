//@ check --property user.assert --engine bmc-incremental
//@ verdict false
#include <assert.h>
#include <fenv.h>
int main(void)
{
    assert(fegetround() == FE_UPWARD);
    return 0;
}
