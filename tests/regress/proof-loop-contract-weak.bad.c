//@ check --function harness --property user.assert --apply-loop-contracts
//@ verdict false(user.assert)
void harness(void) {
    int a = 0, b = 0;
    while (a < 10)
    __CPROVER_loop_invariant(a <= 10)
    {
        a++;
        b++;
    }
    __CPROVER_assert(b == 10, "the invariant does not say so");
}
