//@ property: termination
//@ verdict: false
//@ engines: portfolio
// -1 is greater than every unsigned number but the last one.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    int i = -1;
    while (i > n)
        i = -i - 2;
}
