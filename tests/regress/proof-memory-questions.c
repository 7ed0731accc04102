//@ check --property user.assert
//@ verdict true
#include <stdlib.h>
int main(void) {
    int x;
    char *p = malloc(5);
    __CPROVER_assume(p != 0);
    __CPROVER_assert(__CPROVER_r_ok(p, 5) && __CPROVER_w_ok(p + 5, 0), "all of it, and nothing behind it");
    __CPROVER_assert(!__CPROVER_r_ok(p, 6) && !__CPROVER_r_ok(p + 6, 0) && !__CPROVER_rw_ok(p - 1, 1), "no more");
    __CPROVER_assert(!__CPROVER_r_ok((char *)0, 0), "not at null");
    __CPROVER_assert(__CPROVER_r_ok(&x) && !__CPROVER_r_ok(&x, 5), "of its own size");
    __CPROVER_assert(__CPROVER_r_ok("ab", 3) && !__CPROVER_w_ok("ab", 3), "constants are read");
    __CPROVER_assert(__CPROVER_same_object(p, p + 3) && !__CPROVER_same_object(p, &x), "objects");
    __CPROVER_assert(__CPROVER_POINTER_OBJECT(p) == __CPROVER_POINTER_OBJECT(p + 1), "by number");
    __CPROVER_assert(__CPROVER_POINTER_OBJECT(p) != __CPROVER_POINTER_OBJECT(&x), "by number");
    __CPROVER_assert(__CPROVER_OBJECT_SIZE(p) == 5 && __CPROVER_POINTER_OFFSET(p + 2) == 2, "size, offset");
    __CPROVER_assert(__CPROVER_DYNAMIC_OBJECT(p) && !__CPROVER_DYNAMIC_OBJECT(&x), "heap");
    free(p);
    __CPROVER_assert(!__CPROVER_r_ok(p, 1) && !__CPROVER_LIVE_OBJECT(p), "dead");
    int a, b;
    __CPROVER_assert(__CPROVER_overflow_plus(a, b) == ((long long)a + b != (int)((long long)a + b)), "sum");
    __CPROVER_assert(__CPROVER_overflow_unary_minus(a) == (a == -2147483647 - 1), "negation");
    unsigned __CPROVER_bitvector[5] v = 31;
    v++;
    __CPROVER_size_t n = sizeof(__CPROVER_size_t);
    __CPROVER_assert(v == 0 && n == sizeof(void *), "types");
    return 0;
}
