//@ check --function harness --property user.assert --apply-loop-contracts
//@ verdict false(user.assert)
// A function that a loop calls writes through a pointer that the loop moves.
static void put(char *to) { *to = 1; }
static void fill(char *h, unsigned n) {
    while (n != 0)
    __CPROVER_loop_invariant(n <= 3)
    {
        put(h);
        h += 2;
        n--;
    }
}
void harness(void) {
    char a[8] = {0}, b = 0;
    fill(a, 3);
    __CPROVER_assert(a[4] == 0, "what the last round writes");
}
