//@ property: unreach-call
//@ verdict: true
//@ engines: kind portfolio
// Multiplies by doubling and halving; what is left to add is a product at every moment.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
    unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
    unsigned x = a, y = b, sum = 0;
    while (y > 0) {
        if (y % 2 == 1)
            sum = sum + x;
        x = x * 2;
        y = y / 2;
    }
    if (sum != a * b)
        reach_error();
    return 0;
}
