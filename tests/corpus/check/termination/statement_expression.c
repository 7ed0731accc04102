//@ property: termination
//@ verdict: true
//@ engines: portfolio
// A loop in a statement expression, made by a jump.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    n = ({
        again:
        n--;
        if (n > 0)
            goto again;
        3;
    });
}
