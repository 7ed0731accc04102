//@ property: termination
//@ verdict: false
//@ engines: portfolio
// The loop in the recursive function does not end.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int depth(int n) {
    while (n == 5)
        ;
    return n <= 0 ? 0 : 1 + depth(n - 1);
}
int main(void) { return depth(7); }
