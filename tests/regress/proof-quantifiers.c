//@ check --property user.assert,memory.bounds
//@ verdict true
struct s { int a[10]; };
int main(void) {
    struct s x;
    int n;
    __CPROVER_assume(0 <= n && n <= 10 && __CPROVER_forall { int i; (0 <= i && i < n) ==> x.a[i] > 5 });
    unsigned k;
    if (k < 10 && (int)k < n)
        __CPROVER_assert(x.a[k] > 5, "an instance");
    __CPROVER_assert(__CPROVER_forall { int i; (0 <= i && i < n) ==> x.a[i] > 4 }, "a weaker one");
    __CPROVER_assert(n > 0 ==> __CPROVER_exists { int i; (0 <= i && i < n) && x.a[i] > 5 }, "one of them");
    _Bool all = __CPROVER_forall { unsigned char c; c >= 250 && c <= 255 ==> c > 249 };
    __CPROVER_assert(all, "up to the last value of the type");
    return 0;
}
