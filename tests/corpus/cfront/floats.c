// Floating types: constants in all forms, exactness, infinities, NaN, conversions, long double, classification.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void bits(double d) { unsigned long long u; memcpy(&u, &d, 8); printf("%016llx\n", u); }
static void fbits(float f) { unsigned u; memcpy(&u, &f, 4); printf("%08x\n", u); }
double big = 1e308, tiny = 5e-324, third = 1.0 / 3, hex = 0x1.8p-3, dot = .5, exponent = 12E+2;
float f1 = 0.1f, f2 = 0x1p-149f, f3 = 16777217.0f;
long double l = 0.1L;
_Float128 quad = 0.1f128;

int main(void) {
    bits(0.1); bits(big); bits(tiny); bits(third); bits(hex); bits(dot); bits(exponent); bits(-0.0);
    fbits(f1); fbits(f2); fbits(f3); fbits(0.1); fbits(1e-50f);
    bits(INFINITY); bits(-INFINITY); bits(__builtin_nan("")); bits(DBL_MAX); bits(DBL_MIN); bits(DBL_EPSILON);
    printf("%.20Lg %d\n", l, l == 0.1);
    printf("%d %d\n", (double)quad == 0.1, quad == (_Float128)0.1);
    printf("%d %d %d %d\n", isnan(NAN) != 0, isinf(-INFINITY) != 0, isfinite(1.0) != 0, signbit(-0.0) != 0);
    printf("%d %d\n", fpclassify(tiny) == FP_SUBNORMAL, isgreater(1.0, NAN));
    float f = 16777216; f += 1.0; fbits(f); f = 0.1; printf("%d %d\n", f == 0.1, f == 0.1f);
    int i = -7.9; unsigned u = 3000000000.0; long long ll = 1e15; unsigned char c = 200.7f;
    printf("%d %u %lld %d\n", i, u, ll, c);
    i *= 1.5; printf("%d\n", i);
    double d = 1 / 2 + 1 / 2.0; d += 1u; d -= 2.5f; bits(d);
    unsigned long long m = 18446744073709551615ULL; bits(m); fbits(m); bits((float)m);
    printf("%g %g %g\n", 1e10f * 1e10f * 1e10f * 1e10f, 3.0f / 7, (double)3.0f / 7);
    printf("%d %d\n", !0.5, (_Bool)0.25);
    printf("%g\n", fabs(-2.5) + sqrt(2.25) + (1 ? 2 : 3.5));
    long double x = 1e4000L; printf("%Lg %d\n", x, x > 1e300);
    return 0;
}
