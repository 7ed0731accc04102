//@ property: termination
//@ verdict: true
//@ engines: portfolio
// A loop that is not a statement, entered in the middle.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned i = __VERIFIER_nondet_uint(), j = 10;
    if (i > 1000)
        goto middle;
again:
    if (i == 0)
        return 0;
    i--;
middle:
    if (j > 0) {
        j--;
        goto middle;
    }
    goto again;
}
