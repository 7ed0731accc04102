//@ check --function harness --property user.assert --apply-loop-contracts
//@ verdict true
// Each round gives the pointer a value before it writes.
void harness(void) {
    int x = 0, y = 0, n = 2;
    int *p = &x;
    while (n > 0)
    __CPROVER_loop_invariant(n >= 0 && n <= 2)
    {
        p = &y;
        *p = 1;
        n--;
    }
    __CPROVER_assert(x == 0, "the first variable");
}
