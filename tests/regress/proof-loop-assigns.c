//@ check --function harness --property user.assert --apply-loop-contracts
//@ verdict true
struct pair { int a, b; };
static void put(int *to, int value) { *to = value; }
void harness(void) {
    int a[8], c[4], i, sum = 0;
    struct pair pair = {0, 7};
    for (i = 0; i < 8; i++)
    __CPROVER_assigns(i, sum, pair.a, __CPROVER_object_whole(a), __CPROVER_object_upto(c, sizeof(c)))
    __CPROVER_loop_invariant(0 <= i && i <= 8)
    {
        int own = i;
        own++;
        a[i] = own;
        sum = own;
        pair.a = own;
        put(&c[i % 4], own);
    }
    __CPROVER_assert(i == 8 && pair.b == 7, "after the loop");
}
