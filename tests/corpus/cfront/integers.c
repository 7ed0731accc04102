// Integer constants, promotions, conversions, shifts, limits, mixed signs.
#include <limits.h>
#include <stdio.h>
#include <stdint.h>

#define SHOW(e) printf("%s = %lld %zu\n", #e, (long long)(e), sizeof(e))
static unsigned char uc = 200; static signed char sc = -100; static short s = -30000; static unsigned short us = 60000;
static int i = -5; static unsigned u = 7; static long l = -9; static unsigned long ul = 11; static long long ll = LLONG_MIN;
static _Bool b = 1; static char c = 'x';

int main(void) {
    SHOW(2147483647); SHOW(2147483648); SHOW(0x80000000); SHOW(0xffffffff); SHOW(-2147483648); SHOW(017777777777);
    SHOW(INT_MIN); SHOW(LONG_MIN); SHOW(LLONG_MIN); SHOW(0b1011); SHOW(1u); SHOW(1L); SHOW(1ull); SHOW(0x8000000000000000);
    SHOW(uc + sc); SHOW(uc << 8); SHOW(us * 30000); SHOW(-u); SHOW(~uc); SHOW(!u); SHOW(i / 2); SHOW(i % 3); SHOW(i >> 1); SHOW(u - 8 > 0);
    SHOW(i < u); SHOW(i < (int)u); SHOW(sc < uc); SHOW(l < ul); SHOW(us - 1 < -1); SHOW((unsigned char)sc); SHOW((signed char)uc);
    SHOW((short)us); SHOW((unsigned)i); SHOW((unsigned long)i); SHOW((long)(unsigned)i); SHOW((_Bool)256); SHOW((_Bool)0.5);
    SHOW(i ? uc : l); SHOW(b ? i : u); SHOW((0, i)); SHOW(sizeof(char) - 2); SHOW(+uc); SHOW(- - i); SHOW(-(-i)); SHOW(- -5);
    SHOW(b + b); SHOW(c - 'a'); SHOW(ll + 1); SHOW(1 ? -1 : 0u); SHOW(ul ? 1 : 2L); SHOW(-1 >> 1); SHOW(-1u >> 1);
    uc += 100; SHOW(uc); sc -= 100; SHOW(sc); us *= 30000; SHOW(us); s >>= 2; SHOW(s); i *= 4; SHOW(i); u %= 4; SHOW(u);
    b += 5; SHOW(b); b--; SHOW(b); --b; SHOW(b); b = 7; SHOW(b); l ^= ul; SHOW(l); i |= 0x10000; SHOW(i); uc = ~uc; SHOW(uc);
    u = i = 300; uc = i; SHOW(uc); SHOW(uc++); SHOW(++uc); SHOW(uc--);
    SHOW(i & u | 4 ^ 2); SHOW((i & u) == 4); SHOW(1 << 2 + 3); SHOW((1 << 2) + 3); SHOW(1 - (2 - 3)); SHOW(2 * (3 + 4) % 5);
    SHOW(UINT64_MAX); SHOW(INT64_C(-5)); SHOW(sizeof(int[3])); SHOW(_Alignof(long double)); SHOW((int)3.99); SHOW('a' * 2);
    unsigned shift = 31; SHOW(1u << shift); SHOW((long)1 << 40); SHOW((unsigned)sc >> 28); SHOW(u > i || i / (u - u + 1));
    SHOW(i == 300 ? 1 : 1 / (i - 300)); SHOW((i += 2, i * 2)); SHOW(i > 5 && u < 7 || !b);
    return 0;
}
