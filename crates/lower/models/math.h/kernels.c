/* Functions that no standard fixes to the last digit, computed in extended precision for programs that are run rather
   than verified. Rounded to double they agree with a correctly rounded result but in rare ties. */

extern long double __vergo_sqrt(long double);
extern long double __vergo_rint(long double);
extern long double __vergo_fabs(long double);

static const long double ln2_high = 0x1.62e42feep-1L, ln2_low = 0x1.a39ef35793c7673007e6p-33L;
static const long double half_pi_high = 0x1.921fb544p+0L, half_pi_low = 0x1.0b4611a626331p-34L;
static const long double pi = 0x3.243f6a8885a308d313198a2ep+0L;

static long double scale(long double x, int n)
{
    long double b = n < 0 ? 0.5L : 2.0L;
    for (unsigned k = n < 0 ? -(unsigned)n : (unsigned)n; k > 0; k >>= 1) {
        if (k & 1)
            x *= b;
        b *= b;
    }
    return x;
}

long double __vergo_exp(long double x)
{
    if (x > 11400)
        return (long double)__builtin_inf();
    if (x < -11500)
        return 0;
    int n = (int)__vergo_rint(x / (ln2_high + ln2_low));
    long double r = (x - n * ln2_high) - n * ln2_low, term = 1, sum = 0;
    for (int i = 1; i < 24; i++) {
        term *= r / i;
        sum += term;
    }
    return scale(1 + sum, n);
}

long double __vergo_expm1(long double x)
{
    if (x > -0.3L && x < 0.3L) {
        long double term = 1, sum = 0;
        for (int i = 1; i < 24; i++) {
            term *= x / i;
            sum += term;
        }
        return sum;
    }
    return __vergo_exp(x) - 1;
}

/* The logarithm of 1 + f for a small f. */
static long double log_near_one(long double f)
{
    long double s = f / (2 + f), z = s * s, power = s, sum = 0;
    for (int i = 1; i < 44; i += 2) {
        sum += power / i;
        power *= z;
    }
    return 2 * sum;
}

long double __vergo_log(long double x)
{
    int e = 0;
    while (x >= 0x1p64L) {
        x *= 0x1p-64L;
        e += 64;
    }
    while (x < 0x1p-64L) {
        x *= 0x1p64L;
        e -= 64;
    }
    while (x >= 1.41421356L) {
        x *= 0.5L;
        e++;
    }
    while (x < 0.70710678L) {
        x *= 2;
        e--;
    }
    return e * ln2_high + (log_near_one(x - 1) + e * ln2_low);
}

long double __vergo_log1p(long double x)
{
    return x > -0.25L && x < 0.4L ? log_near_one(x) : __vergo_log(1 + x);
}

long double __vergo_pow(long double x, long double y)
{
    if (x == 0 || __builtin_isinf(x) || __builtin_isinf(y)) {
        long double a = __vergo_fabs(x);
        int odd = __vergo_fabs(y) < 0x1p63L && y == (long long)y && (long long)y % 2 != 0;
        if (__builtin_isinf(y)) {
            if (a == 1)
                return 1;
            return (a > 1) == (y > 0) ? (long double)__builtin_inf() : 0;
        }
        long double r = (a == 0) == (y > 0) ? 0 : (long double)__builtin_inf();
        return odd && __builtin_signbit(x) ? -r : r;
    }
    if (__vergo_fabs(y) <= 1024 && y == (int)y) {
        long double r = 1, b = x;
        for (unsigned k = y < 0 ? -(unsigned)(int)y : (unsigned)(int)y; k > 0; k >>= 1) {
            if (k & 1)
                r *= b;
            b *= b;
        }
        return y < 0 ? 1 / r : r;
    }
    if (x < 0) {
        int odd = __vergo_fabs(y) < 0x1p63L && (long long)y % 2 != 0;
        long double r = __vergo_exp(y * __vergo_log(-x));
        return odd ? -r : r;
    }
    if (y == 0.5L)
        return __vergo_sqrt(x);
    return __vergo_exp(y * __vergo_log(x));
}

static long double sine_series(long double r)
{
    long double z = r * r, term = r, sum = 0;
    for (int i = 2; i < 26; i += 2) {
        term *= -z / (i * (i + 1));
        sum += term;
    }
    return r + sum;
}

static long double cosine_series(long double r)
{
    long double z = r * r, term = 1, sum = 0;
    for (int i = 1; i < 26; i += 2) {
        term *= -z / (i * (i + 1));
        sum += term;
    }
    return 1 + sum;
}

/* The sine of x plus a number of right angles. */
static long double turned_sine(long double x, int turns)
{
    if (x > 1e6L || x < -1e6L)
        __vergo_unsupported("a trigonometric function of a large argument");
    int n = (int)__vergo_rint(x / (half_pi_high + half_pi_low));
    long double r = (x - n * half_pi_high) - n * half_pi_low;
    switch ((unsigned)(n + turns) & 3) {
    case 0:
        return sine_series(r);
    case 1:
        return cosine_series(r);
    case 2:
        return -sine_series(r);
    default:
        return -cosine_series(r);
    }
}

long double __vergo_sin(long double x)
{
    return turned_sine(x, 0);
}

long double __vergo_cos(long double x)
{
    return turned_sine(x, 1);
}

long double __vergo_atan(long double x)
{
    if (x < 0)
        return -__vergo_atan(-x);
    if (x > 1)
        return __builtin_isinf(x) ? pi / 2 : pi / 2 - __vergo_atan(1 / x);
    x = x / (1 + __vergo_sqrt(1 + x * x));
    x = x / (1 + __vergo_sqrt(1 + x * x));
    long double z = x * x, power = x, sum = 0;
    for (int i = 1; i < 44; i += 2) {
        sum += power / i;
        power *= -z;
    }
    return 4 * sum;
}

long double __vergo_atan2(long double y, long double x)
{
    long double r;
    if (x == 0 && y == 0)
        r = 0;
    else if (__builtin_isinf(x) && __builtin_isinf(y))
        r = pi / 4;
    else
        r = __vergo_atan(__vergo_fabs(y) / __vergo_fabs(x));
    if (__builtin_signbit(x))
        r = pi - r;
    return __builtin_signbit(y) ? -r : r;
}

long double __vergo_cbrt(long double x)
{
    long double a = x < 0 ? -x : x, r = __vergo_exp(__vergo_log(a) / 3);
    r = r - (r * r * r - a) / (3 * r * r);
    return x < 0 ? -r : r;
}
