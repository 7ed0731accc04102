//@ property: termination
//@ verdict: false
//@ engines: portfolio
// The pointer may point to something else.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    int x = __VERIFIER_nondet_int(), y = 0;
    int *p = __VERIFIER_nondet_int() ? &x : &y;
    while (x > 0) {
        --*p;
        y = 0;
    }
}
