//@ check --property user.assert --engine bmc-incremental
//@ verdict false
#include <assert.h>
#include <math.h>
extern double __VERIFIER_nondet_double(void);
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    double x = __VERIFIER_nondet_double(), y = x + 1;
    if (x > 0 && x < 1)
    assert(cos(x) == cos(y));
    return 0;
}
