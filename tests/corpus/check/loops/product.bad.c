//@ property: unreach-call
//@ verdict: false
//@ engines: bmc-incremental kind portfolio
// Multiplies by doubling and halving, but forgets to add when the factor is three.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
    unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
    unsigned x = a, y = b, sum = 0;
    while (y > 0) {
        if (y % 2 == 1 && y != 3)
            sum = sum + x;
        x = x * 2;
        y = y / 2;
    }
    if (sum != a * b)
        reach_error();
    return 0;
}
