//@ property: termination
//@ verdict: true
//@ engines: portfolio
// Steps of any size, but never none.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    while (x > 0) {
        int step = __VERIFIER_nondet_int();
        if (step < 1 || step > 1000)
            step = 1;
        x -= step;
    }
}
