//@ check --property user.assert --engine bmc-incremental
//@ verdict unknown
#include <assert.h>
#include <math.h>
extern double __VERIFIER_nondet_double(void);
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    double x = __VERIFIER_nondet_double();
    if (x > 0.1 && x < 0.2)
    assert(sin(x) < 0.5);
    return 0;
}
