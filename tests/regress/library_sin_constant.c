//@ property: user.assert
//@ verdict: true
//@ engines: bmc-incremental
#include <assert.h>
#include <math.h>
int main(void)
{
    assert(sin(1.0) > 0.84 && sin(1.0) < 0.85);
    return 0;
}
