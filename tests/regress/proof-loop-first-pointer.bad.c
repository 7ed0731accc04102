//@ check --function harness --property user.assert --apply-loop-contracts
//@ verdict false(user.assert)
// The first round writes through what the pointer held before the loop.
void harness(void) {
    int x = 0, y = 0, n = 2;
    int *p = &x;
    while (n > 0)
    __CPROVER_loop_invariant(n >= 0 && n <= 2 && (p == &x || p == &y))
    {
        *p = 1;
        p = &y;
        n--;
    }
    __CPROVER_assert(x == 0, "the first variable");
}
