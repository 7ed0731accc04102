//@ check --property user.assert --engine bmc-incremental
//@ verdict true
#include <assert.h>
#include <fenv.h>
int main(void)
{
    assert(fegetround() == FE_TONEAREST && fesetround(FE_TONEAREST) == 0);
    return 0;
}
