//@ property: termination
//@ verdict: false
//@ engines: portfolio
// The jump back skips the step.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned i = __VERIFIER_nondet_uint();
again:
    if (i == 0)
        return 0;
    if (i == 8)
        goto again;
    i--;
    goto again;
}
