//@ property: termination
//@ verdict: false
//@ engines: portfolio
// The cell that is counted down is another one.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned a[2] = {1, 1}, k = 0;
    while (k < 2) {
        if (a[k] > 0)
            a[1 - k] = 0;
        else
            k++;
    }
}
