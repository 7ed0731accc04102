//@ check --property user.assert --engine bmc-incremental
//@ verdict false
#include <assert.h>
#include <math.h>
int main(void)
{
    assert(sin(1.0) < 0.5);
    return 0;
}
