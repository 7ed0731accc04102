//@ check --property user.assert,memory.bounds
//@ verdict false(user.assert)
struct s { int a[10]; };
int main(void) {
    struct s x;
    int n;
    __CPROVER_assume(0 <= n && n <= 10 && __CPROVER_forall { int i; (0 <= i && i < n) ==> x.a[i] > 5 });
    __CPROVER_assert(__CPROVER_forall { int i; (0 <= i && i <= n && i < 10) ==> x.a[i] > 5 }, "one too many");
    return 0;
}
