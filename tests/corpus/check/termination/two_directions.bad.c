//@ property: termination
//@ verdict: false
//@ engines: portfolio
// Up or down, as is chosen in each round.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    while (-100 < x && x < 100)
        x += __VERIFIER_nondet_int() ? 1 : -1;
}
