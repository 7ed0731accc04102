//@ property: termination
//@ verdict: true
//@ engines: portfolio
// Each round clears a bit.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    while (x)
        x &= x - 1;
}
