//@ check --function harness --property user.assert --apply-loop-contracts
//@ verdict false(user.assert)
static void set(int **pp, int *q) { *pp = q; }
void harness(void) {
    int x = 0, y = 0, n = 2;
    int *p = &x;
    while (n > 0)
    __CPROVER_loop_invariant(n >= 0 && n <= 2 && (p == &x || p == &y))
    {
        *p = 1;
        set(&p, &y);
        n--;
    }
    __CPROVER_assert(y == 0, "the other variable");
}
