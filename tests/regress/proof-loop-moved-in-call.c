//@ check --function harness --property user.assert --apply-loop-contracts
//@ verdict true
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
    __CPROVER_assert(b == 0, "another object");
}
