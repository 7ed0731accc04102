/* Functions that are computed when a program is run. */
int printf(const char *, ...);
double sin(double), cos(double), tan(double), asin(double), acos(double), atan(double), atan2(double, double), exp(double), log(double);
double log10(double), log2(double), pow(double, double), cbrt(double), hypot(double, double), sinh(double), cosh(double), tanh(double);
double exp2(double), expm1(double), log1p(double), asinh(double), acosh(double), atanh(double);
float sinf(float), expf(float), powf(float, float);

int main(void)
{
    for (int i = -6; i <= 6; i++) {
        double x = i * 0.7 + 0.1, p = i < 0 ? -x : x + 0.5;
        printf("%.14g %.14g %.14g %.14g %.14g\n", sin(x), cos(x), tan(x), atan(x), exp(x));
        printf("%.14g %.14g %.14g %.14g %.14g\n", log(p), log10(p), log2(p), pow(p, 1.7), cbrt(x));
        printf("%.14g %.14g %.14g %.14g %.14g\n", sinh(x), cosh(x), tanh(x), expm1(x), asinh(x));
        printf("%.14g %.14g %.14g %.14g %.14g\n", asin(x / 5), acos(x / 5), atan2(x, p), hypot(x, p), log1p(p));
    }
    printf("%.14g %.14g %g %g %g\n", acosh(2.5), atanh(0.3), exp2(10), pow(2, -3), pow(-2, 3));
    printf("%.6g %.6g %.6g %g %g\n", sinf(1.5f), expf(2.5f), powf(3.3f, 2.2f), pow(0, -1), exp(-1e9));
    printf("%.14g %.14g %g %g\n", sin(1e5), cos(-7e4), pow(10, 300) * pow(10, -300), log(1e-310));
    return 0;
}
