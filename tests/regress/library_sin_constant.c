//@ check --property user.assert --engine bmc-incremental
//@ verdict true
#include <assert.h>
#include <math.h>
int main(void)
{
    assert(sin(1.0) > 0.84 && sin(1.0) < 0.85);
    return 0;
}
