//@ check --function harness --property user.assert --apply-loop-contracts
//@ verdict false(user.assert)
void harness(void) {
    int sum = 0, i;
    for (i = 0; i < 8; i++)
    __CPROVER_assigns(i)
    __CPROVER_loop_invariant(0 <= i && i <= 8)
    {
        sum = 1;
    }
}
