// GNU builtins.
#include <stdio.h>
#include <string.h>
#include <stdlib.h>

struct s { char c; struct { int x[4]; } in; };
static int checked(int a, int b) { int r; return __builtin_add_overflow(a, b, &r) ? -1 : r; }
static _Noreturn void stop(int c) { printf("stop\n"); exit(c); }
static int never(int x) { switch (x & 1) { case 0: return 1; case 1: return 2; } __builtin_unreachable(); }

int main(void) {
    printf("%d %d\n", checked(1, 2), checked(0x7fffffff, 1));
    unsigned char small; long wide;
    printf("%d %d\n", __builtin_mul_overflow(16, 16, &small), small);
    printf("%d %ld\n", __builtin_sub_overflow(0u, 1, &wide), wide);
    printf("%d\n", __builtin_add_overflow_p(127, 1, (signed char)0));
    unsigned u = 0x00f0; unsigned long ul = 1ul << 40; unsigned long long ull = 6;
    printf("%d %d %d %d %d\n", __builtin_clz(u), __builtin_ctz(u), __builtin_popcount(u), __builtin_parity(u | 1), __builtin_ffs(u));
    printf("%d %d %d %d\n", __builtin_clzl(ul), __builtin_ctzl(ul), __builtin_popcountll(ull), __builtin_ffsll(0));
    printf("%x %x %llx %d\n", __builtin_bswap16(0x1234), __builtin_bswap32(u), (long long)__builtin_bswap64(ul), __builtin_clrsb(-1));
    printf("%zu %d\n", __builtin_offsetof(struct s, in.x[2]), __builtin_constant_p(3));
    printf("%d %d\n", __builtin_types_compatible_p(int, signed), __builtin_choose_expr(1, 5, "x"));
    if (__builtin_expect(u == 0xf0, 1)) printf("likely\n");
    char *p = __builtin_alloca(16); strcpy(p, "stack"); printf("%s\n", p);
    printf("%zu %d\n", __builtin_strlen("four"), __builtin_memcmp("a", "b", 1) < 0);
    printf("%d %g %d\n", __builtin_abs(-4), __builtin_fabs(-2.5), __builtin_isnan(0.0));
    int x = 5, old = __sync_fetch_and_add(&x, 3), now = __sync_add_and_fetch(&x, 1);
    printf("%d %d %d\n", x, old, now);
    printf("%d %d\n", __sync_bool_compare_and_swap(&x, 9, 20), __atomic_exchange_n(&x, 30, __ATOMIC_SEQ_CST));
    int expected = 30; printf("%d %d\n", __atomic_compare_exchange_n(&x, &expected, 31, 0, 5, 5), __atomic_load_n(&x, 5));
    __atomic_store_n(&x, 1, 5); __atomic_fetch_or(&x, 6, 5); __sync_synchronize(); printf("%d\n", x);
    printf("%d %d %d\n", never(2), never(3), __builtin_object_size(p, 0) != 0);
    int *aligned = __builtin_assume_aligned(&x, 4); printf("%d\n", *aligned); __builtin_prefetch(p);
    if (x == 12345) __builtin_trap();
    stop(0);
}
