/* Exponents and significands (C17 7.12.6, 7.12.11.3), at type `float`. Multiplication by a power of two is exact unless
   the result is subnormal; the last step alone then rounds. */

static float power_of_two(int n)
{
    float r = 1, b = n < 0 ? (float)0.5 : (float)2;
    unsigned k = n < 0 ? -(unsigned)n : (unsigned)n;
    for (; k > 0; k >>= 1) {
        if (k & 1)
            r *= b;
        b *= b;
    }
    return r;
}

float scalbnf(float x, int n)
{
    if (x == 0 || __builtin_isnan(x) || __builtin_isinf(x))
        return x;
    if (n > 40000)
        n = 40000;
    if (n < -40000)
        n = -40000;
    int step = 120;
    for (; n > step; n -= step)
        x *= power_of_two(step);
    if (n >= -step)
        return x * power_of_two(n);
    /* The value is brought close to its place exactly, then rounded once. */
    int e = 0;
    float m = x < 0 ? -x : x;
    while (m >= 1) {
        m *= (float)0.5;
        e++;
    }
    while (m < (float)0.5) {
        m *= 2;
        e--;
    }
    n += e;
    for (; n < -step; n += step) {
        if (n < -2 * step - 200)
            return x < 0 ? -(float)0 : (float)0;
        if (n + step >= -step) {
            float r = m * power_of_two(-step) * power_of_two(n + step);
            return x < 0 ? -r : r;
        }
    }
    float r = m * power_of_two(n);
    return x < 0 ? -r : r;
}

float ldexpf(float x, int n)
{
    return scalbnf(x, n);
}

float scalblnf(float x, long n)
{
    return scalbnf(x, n > 40000 ? 40000 : n < -40000 ? -40000 : (int)n);
}

float frexpf(float x, int *exponent)
{
    *exponent = 0;
    if (x == 0 || __builtin_isnan(x) || __builtin_isinf(x))
        return x;
    int e = 0;
    float m = x < 0 ? -x : x;
    while (m >= 1) {
        m *= (float)0.5;
        e++;
    }
    while (m < (float)0.5) {
        m *= 2;
        e--;
    }
    *exponent = e;
    return x < 0 ? -m : m;
}

int ilogbf(float x)
{
    if (x == 0)
        return -2147483647 - 1;
    if (__builtin_isnan(x))
        return -2147483647 - 1;
    if (__builtin_isinf(x))
        return 2147483647;
    int e;
    frexpf(x, &e);
    return e - 1;
}

float logbf(float x)
{
    if (x == 0)
        return -(float)__builtin_inf();
    if (__builtin_isnan(x))
        return x;
    if (__builtin_isinf(x))
        return (float)__builtin_inf();
    return ilogbf(x);
}
