/* Exponents and significands (C17 7.12.6, 7.12.11.3), at type `REAL`. Multiplication by a power of two is exact unless
   the result is subnormal; the last step alone then rounds. */

static REAL power_of_two(int n)
{
    REAL r = 1, b = n < 0 ? (REAL)0.5 : (REAL)2;
    unsigned k = n < 0 ? -(unsigned)n : (unsigned)n;
    for (; k > 0; k >>= 1) {
        if (k & 1)
            r *= b;
        b *= b;
    }
    return r;
}

REAL scalbn_R(REAL x, int n)
{
    if (x == 0 || __builtin_isnan(x) || __builtin_isinf(x))
        return x;
    if (n > 40000)
        n = 40000;
    if (n < -40000)
        n = -40000;
    int step = REAL_MAX_EXP - 24;
    for (; n > step; n -= step)
        x *= power_of_two(step);
    if (n >= -step)
        return x * power_of_two(n);
    /* The significand, between a half and one, is moved exactly, then rounded once. */
    REAL m = x < 0 ? -x : x;
    while (m >= 1) {
        m *= (REAL)0.5;
        n++;
    }
    while (m < (REAL)0.5) {
        m *= 2;
        n--;
    }
    REAL r = 0;
    if (n >= -REAL_MAX_EXP - REAL_MANT_DIG)
        r = m * power_of_two(n / 2) * power_of_two(n - n / 2);
    return x < 0 ? -r : r;
}

REAL ldexp_R(REAL x, int n)
{
    return scalbn_R(x, n);
}

REAL scalbln_R(REAL x, long n)
{
    return scalbn_R(x, n > 40000 ? 40000 : n < -40000 ? -40000 : (int)n);
}

REAL frexp_R(REAL x, int *exponent)
{
    *exponent = 0;
    if (x == 0 || __builtin_isnan(x) || __builtin_isinf(x))
        return x;
    int e = 0;
    REAL m = x < 0 ? -x : x;
    while (m >= 1) {
        m *= (REAL)0.5;
        e++;
    }
    while (m < (REAL)0.5) {
        m *= 2;
        e--;
    }
    *exponent = e;
    return x < 0 ? -m : m;
}

int ilogb_R(REAL x)
{
    if (x == 0)
        return -2147483647 - 1;
    if (__builtin_isnan(x))
        return -2147483647 - 1;
    if (__builtin_isinf(x))
        return 2147483647;
    int e;
    frexp_R(x, &e);
    return e - 1;
}

REAL logb_R(REAL x)
{
    if (x == 0)
        return -(REAL)__builtin_inf();
    if (__builtin_isnan(x))
        return x;
    if (__builtin_isinf(x))
        return (REAL)__builtin_inf();
    return ilogb_R(x);
}
