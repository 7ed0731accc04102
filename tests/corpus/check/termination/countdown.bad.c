//@ property: termination
//@ verdict: false
//@ engines: portfolio
// An unsigned number is never less than zero.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    for (unsigned i = __VERIFIER_nondet_uint() & 7; i >= 0; i = (i - 1) & 7)
        ;
}
