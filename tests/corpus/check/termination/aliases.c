//@ property: termination
//@ verdict: true
//@ engines: portfolio
// The counter is changed through a pointer, which points to nothing else.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    int x = __VERIFIER_nondet_int(), y = 0;
    int *p = &x;
    while (x > 0) {
        --*p;
        y++;
    }
}
