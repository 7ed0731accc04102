//@ property: unreach-call
//@ verdict: true
//@ engines: contracts
// The greatest common divisor of positive numbers is positive: a fact that depends on both arguments at once.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int divisor(int a, int b) {
    if (a <= 0 || b <= 0) {
        return 0;
    }
    if (a == b) {
        return a;
    }
    return a > b ? divisor(a - b, b) : divisor(a, b - a);
}

int main(void) {
    int m = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int();
    if (m > 0 && n > 0 && divisor(m, n) < 1) {
        reach_error();
    }
    return 0;
}
