//@ check --function harness --property user.assert --apply-loop-contracts
//@ verdict false(user.assert)
// The clause names less of the array than the loop writes.
void harness(void) {
    int a[8], i;
    for (i = 0; i < 8; i++)
    __CPROVER_assigns(i, __CPROVER_object_upto(a, 7 * sizeof(int)))
    __CPROVER_loop_invariant(0 <= i && i <= 8)
    {
        a[i] = 1;
    }
}
