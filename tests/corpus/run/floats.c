/* Floating-point arithmetic in all formats. */
int printf(const char *, ...);
double sqrt(double), floor(double), ceil(double), fabs(double), fmod(double, double), trunc(double), rint(double);
double round(double), copysign(double, double), ldexp(double, int), frexp(double, int *), modf(double, double *);
double nextafter(double, double), fmin(double, double), fmax(double, double), remainder(double, double), fma(double, double, double);
float sqrtf(float), floorf(float), fabsf(float), nextafterf(float, float);
long double sqrtl(long double), fabsl(long double);
long lround(double), lrint(double);
int ilogb(double);

int main(void)
{
    volatile float f = 0.1f; volatile double d = 0.1; volatile long double l = 0.1L;
    printf("%.20f %.20f %.20Lf\n", f, d, l);
    printf("%.20f %.20f %.20Lf\n", f * 3, d * 3, l * 3);
    printf("%d %d %d\n", f == 0.1, d == 0.1, f + d == d + f);
    volatile double z = 0, inf = 1 / z, nan = z / z;
    printf("%f %f %d %d %d\n", inf, -inf, nan == nan, nan != nan, nan < 1);
    printf("%d %d %d %d\n", __builtin_isnan(nan) != 0, __builtin_isinf(-inf) != 0, __builtin_isinf_sign(-inf), __builtin_signbit(-z) != 0);
    printf("%d %d\n", __builtin_fpclassify(0, 1, 4, 3, 2, 1e-310), __builtin_isnormal(1e-310));
    printf("%.17g %.17g %.9g\n", sqrt(2), sqrt(1e300), sqrtf(3));
    printf("%g %g %g %g %g %g\n", floor(-2.5), ceil(-2.5), trunc(-2.5), rint(2.5), rint(3.5), round(-2.5));
    printf("%g %g %g\n", fmod(10.5, 3), fmod(-10.5, 3), remainder(10.5, 3));
    int e; double w;
    printf("%g ", frexp(40.0, &e)); printf("%d ", e); printf("%g ", modf(-3.75, &w)); printf("%g\n", w);
    printf("%g %.17g %g %g\n", ldexp(1.5, 10), ldexp(1.1, -1070), ldexp(1, 2000), ldexp(3, -3));
    printf("%.17g %.17g %.9g\n", nextafter(1, 2), nextafter(0, -1), nextafterf(1, 0));
    printf("%g %g %g %g\n", fmin(1, nan), fmax(-0.0, 2), copysign(3, -z), fabs(-4));
    printf("%.17g\n", fma(0.1, 10, -1));
    printf("%ld %ld %ld %d\n", lround(2.5), lrint(2.5), lround(-0.4), ilogb(1000));
    printf("%.20Lf %Lg\n", sqrtl(2), fabsl(-1.5L));
    printf("%a %.3a %La\n", 1.0, 0.1, 1.0L);
    printf("%e %G %g %g %.0f %.0f\n", 12345.678, 1e-10, 100000.0, 1e6, 0.5, 1.5);
    printf("%d %u %lld\n", (int)1e9f, (unsigned)3e9, (long long)-1e18);
    float acc = 0; for (int i = 0; i < 1000; i++) acc += 0.1f; printf("%.9g\n", acc);
    double s = 0; for (int i = 1; i < 100; i++) s += 1.0 / i; printf("%.17g\n", s);
    _Float128 q = 1; q /= 3; printf("%.17g\n", (double)q);
    __float128 r = q * 3; printf("%d\n", r == 1);
    return 0;
}
