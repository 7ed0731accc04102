//@ property: user.assert
//@ verdict: false
//@ engines: bmc-incremental
#include <assert.h>
#include <math.h>
int main(void)
{
    assert(log2(9.) == 3.);
    return 0;
}
