//@ property: termination
//@ verdict: true
//@ engines: portfolio
// Loops in loops: the inner one begins anew in each round of the outer one.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++)
            for (int k = n; k > j; k--)
                ;
}
