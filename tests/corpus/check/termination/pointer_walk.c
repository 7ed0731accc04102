//@ property: termination
//@ verdict: true
//@ engines: portfolio
// A string has an end.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void *malloc(unsigned long);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1)
        n = 1;
    char *s = malloc(n);
    s[n - 1] = 0;
    while (*s)
        s++;
}
