//@ check --function harness --property user.assert,memory.bounds,arith.signed-overflow --apply-loop-contracts
//@ verdict false(user.assert)
struct poly { short c[32]; };
static short reduce(short x) { return x < 0 ? 0 : x > 100 ? 100 : x; }
static void all(struct poly *p) {
    unsigned i;
    for (i = 0; i < 32; i++)
    __CPROVER_loop_invariant(i <= 32)
    __CPROVER_loop_invariant(__CPROVER_forall { unsigned k; (0 <= k && k < i) ==> (0 <= p->c[k] && p->c[k] <= 99) })
    __CPROVER_decreases(32 - i)
    {
        p->c[i] = reduce(p->c[i]);
    }
}
void harness(void) {
    struct poly p;
    int kept = 3;
    all(&p);
    unsigned k;
    if (k < 32)
        __CPROVER_assert(p.c[k] >= 0 && p.c[k] <= 100 && kept == 3, "the range of every element");
}
