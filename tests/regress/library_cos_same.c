//@ check --property user.assert --engine bmc-incremental
//@ verdict true
#include <assert.h>
#include <math.h>
extern double __VERIFIER_nondet_double(void);
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    double x = __VERIFIER_nondet_double(), y = x;
    assert(x != x || x - x != 0 || cos(x) == cos(y));
    return 0;
}
