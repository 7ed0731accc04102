//@ check
//@ verdict true
#include <assert.h>
#include <math.h>
int main(void)
{
    volatile double n = -0.0, p = 0.0;
    assert(!signbit(hypot(n, n)) && !signbit(hypot(n, p)));
    assert(fmax(n, p) == 0 && signbit(fmax(n, n)) && !signbit(fmin(p, p)));
    return 0;
}
