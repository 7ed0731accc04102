//@ property: termination
//@ verdict: false
//@ engines: portfolio
// A loop in a statement expression, made by a jump.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    n = ({
        again:
        n = 2;
        if (n)
            goto again;
        3;
    });
}
