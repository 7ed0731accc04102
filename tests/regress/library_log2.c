//@ check --property user.assert --engine bmc-incremental
//@ verdict true
#include <assert.h>
#include <math.h>
int main(void)
{
    assert(log2(8.) == 3. && pow(2, 10) == 1024 && cbrt(27) == 3 && exp2(-1) == 0.5);
    return 0;
}
