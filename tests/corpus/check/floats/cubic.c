//@ property: unreach-call
//@ verdict: true
//@ engines: bmc-incremental
// A cubic polynomial stays in the range that its shape gives it.
extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

int main(void)
{
    double x = __VERIFIER_nondet_double();
    __VERIFIER_assume(x >= -1.0 && x <= 2.0);
    double y = x * x * x - 3.0 * x + 0.5;
    if (!(y >= -2.0 && y <= 3.0))
        reach_error();
    return 0;
}
