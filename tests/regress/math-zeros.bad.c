//@ check
//@ verdict false(user.assert)
#include <assert.h>
#include <math.h>
int main(void)
{
    volatile double n = -0.0, p = 0.0;
    assert(!signbit(fmax(n, p)));
    return 0;
}
