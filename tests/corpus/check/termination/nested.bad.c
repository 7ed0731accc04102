//@ property: termination
//@ verdict: false
//@ engines: portfolio
// The innermost loop takes back what the outermost one does.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 1; j++)
            i--;
}
