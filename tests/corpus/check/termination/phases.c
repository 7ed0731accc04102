//@ property: termination
//@ verdict: true
//@ engines: portfolio
// Two numbers take turns; their sum decreases.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    if (x < -1000000 || x > 1000000 || y < -1000000 || y > 1000000)
        return 0;
    while (x > 0 || y > 0) {
        int old = x;
        x = y - 1;
        y = old - 1;
    }
}
