//@ check --function harness --property user.assert --apply-loop-contracts
//@ verdict true
static void set(int *p, int n) {
    while (n > 0)
    __CPROVER_loop_invariant(n >= 0 && n <= 2)
    {
        *p = 1;
        p++;
        n--;
    }
}
void harness(void) {
    int a[3] = {0, 0, 0}, b[3] = {0, 0, 0};
    set(a, 2);
    __CPROVER_assert(b[1] == 0, "another object");
}
