/* Exponents and significands (C17 7.12.6, 7.12.11.3), at type `double`. Multiplication by a power of two is exact unless
   the result is subnormal; the last step alone then rounds. */

static double power_of_two(int n)
{
    double r = 1, b = n < 0 ? (double)0.5 : (double)2;
    unsigned k = n < 0 ? -(unsigned)n : (unsigned)n;
    for (; k > 0; k >>= 1) {
        if (k & 1)
            r *= b;
        b *= b;
    }
    return r;
}

double scalbn(double x, int n)
{
    if (x == 0 || __builtin_isnan(x) || __builtin_isinf(x))
        return x;
    if (n > 40000)
        n = 40000;
    if (n < -40000)
        n = -40000;
    int step = 1000;
    for (; n > step; n -= step)
        x *= power_of_two(step);
    if (n >= -step)
        return x * power_of_two(n);
    /* The value is brought close to its place exactly, then rounded once. */
    int e = 0;
    double m = x < 0 ? -x : x;
    while (m >= 1) {
        m *= (double)0.5;
        e++;
    }
    while (m < (double)0.5) {
        m *= 2;
        e--;
    }
    n += e;
    for (; n < -step; n += step) {
        if (n < -2 * step - 200)
            return x < 0 ? -(double)0 : (double)0;
        if (n + step >= -step) {
            double r = m * power_of_two(-step) * power_of_two(n + step);
            return x < 0 ? -r : r;
        }
    }
    double r = m * power_of_two(n);
    return x < 0 ? -r : r;
}

double ldexp(double x, int n)
{
    return scalbn(x, n);
}

double scalbln(double x, long n)
{
    return scalbn(x, n > 40000 ? 40000 : n < -40000 ? -40000 : (int)n);
}

double frexp(double x, int *exponent)
{
    *exponent = 0;
    if (x == 0 || __builtin_isnan(x) || __builtin_isinf(x))
        return x;
    int e = 0;
    double m = x < 0 ? -x : x;
    while (m >= 1) {
        m *= (double)0.5;
        e++;
    }
    while (m < (double)0.5) {
        m *= 2;
        e--;
    }
    *exponent = e;
    return x < 0 ? -m : m;
}

int ilogb(double x)
{
    if (x == 0)
        return -2147483647 - 1;
    if (__builtin_isnan(x))
        return -2147483647 - 1;
    if (__builtin_isinf(x))
        return 2147483647;
    int e;
    frexp(x, &e);
    return e - 1;
}

double logb(double x)
{
    if (x == 0)
        return -(double)__builtin_inf();
    if (__builtin_isnan(x))
        return x;
    if (__builtin_isinf(x))
        return (double)__builtin_inf();
    return ilogb(x);
}
