//@ property: termination
//@ verdict: true
//@ engines: portfolio
// Counts an unsigned number down to zero.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    for (unsigned i = __VERIFIER_nondet_uint(); i > 0; i--)
        ;
}
