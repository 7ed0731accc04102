//@ property: termination
//@ verdict: false
//@ engines: portfolio
// `continue` skips the step that leads out.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    int i = 0;
    while (1) {
        if (__VERIFIER_nondet_int() == 3)
            continue;
        if (i++ > 3)
            break;
    }
}
