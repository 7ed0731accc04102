/* Exponents and significands (C17 7.12.6, 7.12.11.3), at type `long double`. Multiplication by a power of two is exact unless
   the result is subnormal; the last step alone then rounds. */

static long double power_of_two(int n)
{
    long double r = 1, b = n < 0 ? (long double)0.5 : (long double)2;
    unsigned k = n < 0 ? -(unsigned)n : (unsigned)n;
    for (; k > 0; k >>= 1) {
        if (k & 1)
            r *= b;
        b *= b;
    }
    return r;
}

long double scalbnl(long double x, int n)
{
    if (x == 0 || __builtin_isnan(x) || __builtin_isinf(x))
        return x;
    if (n > 40000)
        n = 40000;
    if (n < -40000)
        n = -40000;
    int step = 16000;
    for (; n > step; n -= step)
        x *= power_of_two(step);
    if (n >= -step)
        return x * power_of_two(n);
    /* The value is brought close to its place exactly, then rounded once. */
    int e = 0;
    long double m = x < 0 ? -x : x;
    while (m >= 1) {
        m *= (long double)0.5;
        e++;
    }
    while (m < (long double)0.5) {
        m *= 2;
        e--;
    }
    n += e;
    for (; n < -step; n += step) {
        if (n < -2 * step - 200)
            return x < 0 ? -(long double)0 : (long double)0;
        if (n + step >= -step) {
            long double r = m * power_of_two(-step) * power_of_two(n + step);
            return x < 0 ? -r : r;
        }
    }
    long double r = m * power_of_two(n);
    return x < 0 ? -r : r;
}

long double ldexpl(long double x, int n)
{
    return scalbnl(x, n);
}

long double scalblnl(long double x, long n)
{
    return scalbnl(x, n > 40000 ? 40000 : n < -40000 ? -40000 : (int)n);
}

long double frexpl(long double x, int *exponent)
{
    *exponent = 0;
    if (x == 0 || __builtin_isnan(x) || __builtin_isinf(x))
        return x;
    int e = 0;
    long double m = x < 0 ? -x : x;
    while (m >= 1) {
        m *= (long double)0.5;
        e++;
    }
    while (m < (long double)0.5) {
        m *= 2;
        e--;
    }
    *exponent = e;
    return x < 0 ? -m : m;
}

int ilogbl(long double x)
{
    if (x == 0)
        return -2147483647 - 1;
    if (__builtin_isnan(x))
        return -2147483647 - 1;
    if (__builtin_isinf(x))
        return 2147483647;
    int e;
    frexpl(x, &e);
    return e - 1;
}

long double logbl(long double x)
{
    if (x == 0)
        return -(long double)__builtin_inf();
    if (__builtin_isnan(x))
        return x;
    if (__builtin_isinf(x))
        return (long double)__builtin_inf();
    return ilogbl(x);
}
