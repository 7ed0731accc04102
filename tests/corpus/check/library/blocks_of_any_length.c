//@ property: unreach-call
//@ verdict: true
//@ engines: bmc-incremental portfolio
// Blocks whose length is not known are set, copied and moved; one byte is looked at, wherever it is.
extern unsigned long __VERIFIER_nondet_ulong(void);
extern void reach_error(void);
extern void *malloc(unsigned long);
extern void *memcpy(void *, const void *, unsigned long);
extern void *memmove(void *, const void *, unsigned long);
extern void *memset(void *, int, unsigned long);

int main(void) {
    unsigned long size = __VERIFIER_nondet_ulong(), n = __VERIFIER_nondet_ulong();
    unsigned long at = __VERIFIER_nondet_ulong(), i = __VERIFIER_nondet_ulong();
    if (size > 1000000 || at > size || n == 0 || n > size - at || i >= size)
        return 0;
    unsigned char *to = malloc(size), *from = malloc(n);
    memset(to, 7, size);
    memcpy(to + at, from, n);
    unsigned char expected = i >= at && i - at < n ? from[i - at] : 7;
    if (to[i] != expected)
        reach_error();
    to[at] = 9;
    if (to[i] != (i == at ? 9 : expected))
        reach_error();
    memmove(to + 1, to, size - 1);
    if (i > 0 && to[i] != (i - 1 == at ? 9 : i - 1 >= at && i - 1 - at < n ? from[i - 1 - at] : 7))
        reach_error();
    return 0;
}
