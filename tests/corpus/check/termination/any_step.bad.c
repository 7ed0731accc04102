//@ property: termination
//@ verdict: false
//@ engines: portfolio
// A step of zero.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    while (x > 0) {
        int step = __VERIFIER_nondet_int();
        if (step < 0 || step > 1000)
            step = 1;
        x -= step;
    }
}
