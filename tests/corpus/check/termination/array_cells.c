//@ property: termination
//@ verdict: true
//@ engines: portfolio
// Each cell is counted down before the next one is looked at.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned a[100], k = 0;
    for (int i = 0; i < 100; i++)
        a[i] = __VERIFIER_nondet_uint();
    while (k < 100) {
        if (a[k] > 0)
            a[k]--;
        else
            k++;
    }
}
