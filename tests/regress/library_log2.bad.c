//@ check --property user.assert --engine bmc-incremental
//@ verdict false
#include <assert.h>
#include <math.h>
int main(void)
{
    assert(log2(9.) == 3.);
    return 0;
}
