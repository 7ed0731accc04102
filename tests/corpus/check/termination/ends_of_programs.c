//@ property: termination
//@ verdict: true
//@ engines: portfolio
// `exit` and `abort` are ends too.
extern void exit(int);
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    for (;;) {
        if (__VERIFIER_nondet_int())
            exit(1);
        abort();
    }
}
