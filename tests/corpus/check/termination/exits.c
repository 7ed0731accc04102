//@ property: termination
//@ verdict: true
//@ engines: portfolio
// A loop that only `break` and `goto` leave.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    int i = 0, j = 100;
    while (1) {
        if (i++ > 1000)
            break;
        if (__VERIFIER_nondet_int()) {
            if (--j < 0)
                goto out;
            continue;
        }
    }
out:
    return 0;
}
