/* Builtins. */
int printf(const char *, ...);

int main(void)
{
    volatile unsigned x = 0x00f0; volatile unsigned long long y = 0x8000000000000001ULL; volatile int n = -5;
    printf("%d %d %d %d %d\n", __builtin_clz(x), __builtin_ctz(x), __builtin_popcount(x), __builtin_parity(x), __builtin_ffs(x));
    printf("%d %d %d %d %d\n", __builtin_clzll(y), __builtin_ctzll(y), __builtin_popcountll(y), __builtin_parityll(y), __builtin_ffsll(0));
    printf("%d %d %d\n", __builtin_clrsb(n), __builtin_clrsb(0), __builtin_clrsbll(1LL << 40));
    printf("%x %llx %x\n", __builtin_bswap32(0x12345678), __builtin_bswap64(0x123456789abcdef0ULL), __builtin_bswap16(0x1234));
    int r; unsigned u; signed char c; long long l;
    printf("%d ", __builtin_add_overflow(2147483647, 1, &r)); printf("%d ", r);
    printf("%d ", __builtin_sub_overflow(1u, 2u, &u)); printf("%u ", u);
    printf("%d ", __builtin_mul_overflow(100, 2, &c)); printf("%d ", c);
    printf("%d ", __builtin_mul_overflow(1LL << 40, 1LL << 30, &l)); printf("%lld ", l);
    printf("%d ", __builtin_add_overflow(-1, 1u, &u)); printf("%u ", u);
    printf("%d %d\n", __builtin_add_overflow_p(127, 1, (signed char)0), __builtin_sadd_overflow(1, 2, &r));
    printf("%d %ld\n", __builtin_expect(n == -5, 1), __builtin_expect(3L, 3));
    char *p = __builtin_alloca(10); p[9] = 'q'; printf("%c\n", p[9]);
    printf("%d %d\n", __builtin_constant_p(3), __builtin_types_compatible_p(int, int));
    printf("%s %lu\n", __builtin_choose_expr(1, "yes", 2), __builtin_offsetof(struct { char c; int i[3]; }, i[2]));
    printf("%d %d %d\n", __builtin_isgreater(2.0, 1.0), __builtin_islessgreater(1.0, 1.0), __builtin_isunordered(1.0, __builtin_nan("")));
    printf("%d\n", __builtin_strcmp("a", "b") < 0);
    printf("%d %d\n", __builtin_abs(-3), (int)__builtin_strlen("four"));
    int v = 10, old = 3, new = 7;
    printf("%d %d ", __sync_fetch_and_add(&v, 5), v);
    printf("%d ", __sync_sub_and_fetch(&v, 1));
    printf("%d ", __sync_bool_compare_and_swap(&v, 14, 20));
    printf("%d ", __sync_val_compare_and_swap(&v, 1, 2));
    printf("%d ", __sync_lock_test_and_set(&v, 3)); __sync_synchronize();
    printf("%d ", __atomic_compare_exchange_n(&v, &old, 9, 0, 5, 5));
    printf("%d ", __atomic_compare_exchange(&v, &old, &new, 0, 5, 5)); printf("%d ", old);
    __atomic_store_n(&v, 100, 5); __atomic_load(&v, &r, 5);
    printf("%d %d %d ", r, __atomic_exchange_n(&v, 1, 5), __atomic_fetch_nand(&v, 3, 5));
    printf("%d\n", __atomic_load_n(&v, 5));
    _Atomic int at = 5; at++; at += 2; printf("%d ", at--); printf("%d\n", at);
    return 0;
}
