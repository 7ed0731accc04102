//@ property: termination
//@ verdict: true
//@ engines: portfolio
// Up or down, as was chosen before the loop.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    int step = __VERIFIER_nondet_int() ? 1 : -1, x = __VERIFIER_nondet_int();
    while (-100 < x && x < 100)
        x += step;
}
