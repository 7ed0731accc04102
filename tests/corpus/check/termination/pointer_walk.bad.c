//@ property: termination
//@ verdict: false
//@ engines: portfolio
// The pointer goes forth and back.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void *malloc(unsigned long);

int main(void) {
    char s[4] = "ab";
    char *p = s;
    while (*p)
        p = p == s ? p + 1 : p - 1;
}
