//@ check --function harness --property user.assert,memory.bounds
//@ verdict false(memory.bounds)
void *malloc(unsigned long);
void harness(void) {
    unsigned long n, k;
    __CPROVER_assume(n < 1000 && k < 100000 && k + 1 >= n);
    unsigned char *p = malloc(k);
    __CPROVER_havoc_slice(p, n);
}
