//@ check --property user.assert --engine bmc-incremental
//@ verdict false
#include <assert.h>
#include <math.h>
int main(void)
{
    assert(hypot(3, 4) != 5);
    return 0;
}
