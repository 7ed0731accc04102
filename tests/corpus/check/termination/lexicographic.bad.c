//@ property: termination
//@ verdict: false
//@ engines: portfolio
// Each of the numbers is any number when the other one decreases.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    while (x > 0 && y > 0) {
        if (__VERIFIER_nondet_int()) {
            x--;
            y = __VERIFIER_nondet_int();
        } else {
            y--;
            x = __VERIFIER_nondet_int();
        }
    }
}
