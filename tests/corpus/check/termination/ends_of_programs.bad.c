//@ property: termination
//@ verdict: false
//@ engines: portfolio
// A function that ends the program is not called in every round.
extern void exit(int);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    for (;;)
        if (__VERIFIER_nondet_int())
            exit(1);
}
