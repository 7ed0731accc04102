//@ property: termination
//@ verdict: true
//@ engines: portfolio
// The comparison is one of unsigned numbers, and still ends.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    for (int i = 0; i < n; i++)
        if (i < 0)
            break;
}
