//@ check --function harness --property user.assert,memory.bounds,memory.null --replace-call-with-contract set
//@ verdict false(user.assert)
void set(int *p, int n)
__CPROVER_requires(n > 0)
__CPROVER_requires(__CPROVER_is_fresh(p, sizeof(int)))
__CPROVER_assigns(*p)
__CPROVER_ensures(*p >= n);
void harness(void) {
    int x = 1, y = 2;
    set(&x, 5);
    __CPROVER_assert(x == 5 && y == 2, "what the contract says");
}
