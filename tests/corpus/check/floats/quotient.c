//@ property: unreach-call
//@ verdict: true
//@ engines: bmc-incremental
// A step of Newton's method for roots does not go below the root.
extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

int main(void)
{
    double a = __VERIFIER_nondet_double(), x = __VERIFIER_nondet_double();
    __VERIFIER_assume(a >= 1.0 && a <= 4.0 && x >= 1.0 && x <= 4.0);
    double y = 0.5 * (x + a / x);
    if (!(y >= 0.99 && y <= 4.01))
        reach_error();
    return 0;
}
