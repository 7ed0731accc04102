//@ property: termination
//@ verdict: true
//@ engines: portfolio
// Two functions call each other, and one of them counts.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int odd(int n);
int even(int n) { return n <= 0 ? 1 : odd(n - 1); }
int odd(int n) { return n <= 0 ? 0 : even(n); }
int main(void) { return even(__VERIFIER_nondet_int()); }
