//@ check --function harness --property user.assert --apply-loop-contracts
//@ verdict false(user.assert)
static void put(int *to, int value) { *to = value; }
void harness(void) {
    int a[8], b[8], i;
    for (i = 0; i < 8; i++)
    __CPROVER_assigns(i, __CPROVER_object_whole(a))
    __CPROVER_loop_invariant(0 <= i && i <= 8)
    {
        put(&b[i], 1);
    }
}
