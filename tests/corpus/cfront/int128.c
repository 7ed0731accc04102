// 128-bit integers.
#include <stdio.h>

typedef __int128 i128;
typedef unsigned __int128 u128;
static void show(u128 x) { printf("%016llx%016llx\n", (unsigned long long)(x >> 64), (unsigned long long)x); }
u128 big = ((u128)0x0123456789abcdefULL << 64) | 0xfedcba9876543210ULL;
i128 negative = -(i128)1 << 100;
const u128 all = ~(u128)0;

int main(void) {
    show(big); show(negative); show(all); show(big * 3); show(big / 7); show(big % 1000000007); show(negative / 3);
    show(big << 5 | big >> 123); show(-big); show((i128)-5); show((u128)5 - 6);
    i128 s = -1; s >>= 3; show(s); s = (int)s + 2; show(s); s *= 1LL << 62; s *= 16; show(s);
    printf("%d %d %d\n", negative < 0, big > 1, (i128)-1 < (u128)1);
    double d = (double)big; printf("%.0f %d\n", d, (u128)1e30 > 1e29);
    int n = negative >> 100; printf("%d %zu\n", n, sizeof(i128));
    show((u128)1e30); u128 a[2] = { 1, all }; a[0] += a[1]; show(a[0]); a[1]++; show(a[1]--); show(a[1]);
    show(big ? all >> 100 : 0);
    return 0;
}
