//@ check --function harness --property user.assert,memory.bounds
//@ verdict false(user.assert)
void *malloc(unsigned long);
void harness(void) {
    unsigned long n;
    __CPROVER_assume(n > 0 && n < 100000);
    unsigned char *p = malloc(n);
    p[0] = 1;
    __CPROVER_havoc_slice(p, n);
    __CPROVER_assert(p[0] == 1, "the first byte is any");
}
