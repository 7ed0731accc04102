//@ check --function harness --property user.assert --apply-loop-contracts
//@ verdict false(user.assert)
// A loop lets a pointer point elsewhere, through the pointer's address, and writes there.
void harness(void) {
    int x = 0, y = 0, n = 2;
    int *p = &x, *q = &y, **pp = &p;
    while (n > 0)
    __CPROVER_loop_invariant(n >= 0 && n <= 2 && (p == &x || p == &y))
    {
        *pp = q;
        *p = 1;
        n--;
    }
    __CPROVER_assert(y == 0, "the other variable");
}
