//@ property: user.assert
//@ verdict: true
//@ engines: bmc-incremental
#include <assert.h>
#include <math.h>
int main(void)
{
    assert(hypot(3, 4) == 5);
    return 0;
}
