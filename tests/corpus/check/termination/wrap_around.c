//@ property: termination
//@ verdict: true
//@ engines: portfolio
// Small steps cannot jump over the end.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    while (x < 4000000000u)
        x += 2;
}
