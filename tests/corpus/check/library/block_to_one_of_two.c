//@ property: unreach-call
//@ verdict: true
//@ engines: bmc-incremental portfolio
// A block of any length, or of none and from nowhere, goes from one of two objects to one of two others.
extern unsigned long __VERIFIER_nondet_ulong(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void *malloc(unsigned long);
extern void *memcpy(void *, const void *, unsigned long);
extern void *memset(void *, int, unsigned long);

int main(void) {
    unsigned long n = __VERIFIER_nondet_ulong(), i = __VERIFIER_nondet_ulong();
    int first = __VERIFIER_nondet_int(), other = __VERIFIER_nondet_int();
    if (n > 1000000 || i >= n + 1)
        return 0;
    unsigned char *a = malloc(n + 1), *b = malloc(n + 2);
    unsigned char *x = n ? malloc(n) : 0, *y = n ? malloc(n) : 0;
    memset(a, 1, n + 1);
    memset(b, 2, n + 2);
    unsigned char *to = first ? a : b;
    unsigned char *from = other ? x : y;
    memcpy(to, from, n);
    if ((first ? b : a)[i] != (first ? 2 : 1))
        reach_error();
    if (to[i] != (i < n ? (other ? x : y)[i] : first ? 1 : 2))
        reach_error();
    return 0;
}
