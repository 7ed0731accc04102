//@ check --property user.assert --engine bmc-incremental
//@ verdict false
#include <assert.h>
#include <math.h>
extern double __VERIFIER_nondet_double(void);
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    double x = __VERIFIER_nondet_double();
    if (x > 1.0 && x < 2.0)
    assert(sin(x) < 0.5);
    return 0;
}
