//@ check --function harness --property user.assert,memory.bounds
//@ verdict true
void *malloc(unsigned long);
void harness(void) {
    unsigned long n, k;
    __CPROVER_assume(n < 1000 && k < 100000 && k >= n);
    unsigned char *p = malloc(k + 1), kept = 7;
    __CPROVER_havoc_slice(p, n);
    unsigned char first = p[0];
    __CPROVER_assert(p[0] == first && kept == 7, "what is read stays, and others are not written");
}
