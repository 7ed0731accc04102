//@ check --function harness --property user.assert,memory.bounds,memory.null --enforce-contract add
//@ verdict false(user.assert)
struct pair { int a, b; };
static int total;
int add(struct pair *p, int n)
__CPROVER_requires(__CPROVER_is_fresh(p, sizeof(*p)))
__CPROVER_requires(n >= 0 && n < 100 && p->a >= 0 && p->a < 100)
__CPROVER_assigns(p->a)
__CPROVER_ensures(p->a == __CPROVER_old(p->a) + n)
__CPROVER_ensures(__CPROVER_return_value == p->a)
{
    int own[2];
    int *w = own;
    w[1] = n;
    p->a += w[1];
    total = 1;
    return p->a;
}
void harness(void) {
    struct pair *p;
    int n;
    add(p, n);
}
