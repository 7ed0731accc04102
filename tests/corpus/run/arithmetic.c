/* Integer arithmetic at every width, conversions, shifts, `_Bool`, 128 bits. */
int printf(const char *, ...);
typedef unsigned long long u64;
typedef __int128 i128;

static void show(i128 v) { printf("%llx:%llx ", (u64)((unsigned __int128)v >> 64), (u64)v); }

int main(void)
{
    signed char sc = 127;
    unsigned char uc = 250;
    short sh = -32768;
    sc++; uc += 10; sh--;
    printf("%d %d %d\n", sc, uc, sh);
    printf("%d %d %d %d\n", -7 / 2, -7 % 2, 7 / -2, 7 % -2);
    printf("%u %u %d\n", -1 / 2u, 5u - 6u, -1 < 1u);
    printf("%d %d %u %lld\n", -8 >> 1, 1 << 30, 0x80000000u >> 31, 1LL << 40);
    printf("%d %d %d\n", (signed char)300, (unsigned char)-1, (short)70000);
    printf("%d %d %d %d\n", (_Bool)0.1, (_Bool)256, !5, !!"x");
    printf("%d %lld %d\n", (int)-3.9, (long long)1e15, (unsigned char)200.7f);
    printf("%f %f\n", (double)(u64)-1, (float)16777217);
    int x = 5;
    x ^= 3; x |= 8; x &= ~2; x <<= 2; x >>= 1; x %= 7; x *= -3;
    printf("%d %d %d\n", x, ~x, -x);
    unsigned char c = 200;
    c *= 2; printf("%d ", c);
    c >>= 1; printf("%d ", c);
    c = ~c; printf("%d ", c);
    c -= 300; printf("%d\n", c);
    _Bool b = 3; b++; printf("%d ", b); b--; printf("%d ", b); b -= 1; printf("%d ", b); b += 5; printf("%d\n", b);
    i128 h = (i128)0x123456789abcdef0LL * 0x1000000000000001LL;
    show(h); show(-h); show(h >> 70); show(h << 3); show(h / 12345); show(h % 12345); show(~h & h + 1);
    printf("\n%d %d %f\n", h < 0, h > (i128)1 << 90, (double)h);
    unsigned __int128 u = -1;
    show(u / 3); show((i128)1e30); printf("%.3e\n", (double)u);
    long long ll = -9223372036854775807LL - 1;
    printf("%lld %llu %d\n", ll, (u64)ll, ll < 0);
    int i = 3, j = i++ + 2, k = --i * 2;
    printf("%d %d %d\n", i, j, k);
    double d = 1.5; d++; --d; d *= 2; d -= .25; printf("%g %g\n", d, -d);
    char *p = "hello"; p += 2; p--; printf("%c ", *p++); printf("%c %ld\n", *p, (long)(p - 1 - p));
    enum e { A = -1, B, C = 100 } e = C; e++; printf("%d %d %d\n", A, B, e);
    printf("%d\n", 'a' + '\377' + L'x');
    printf("%d %d\n", (int)sizeof(long double) >= 12, (int)(sizeof 1 + sizeof 'c' + sizeof 1.0f));
    return 0;
}
