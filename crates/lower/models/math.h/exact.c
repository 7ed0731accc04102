/* Operations whose result IEEE 754 fixes (C17 7.12, F.10), at type `double`. */

extern double __vergo_fabs(double);
extern double __vergo_sqrt(double);
extern double __vergo_floor(double);
extern double __vergo_ceil(double);
extern double __vergo_trunc(double);
extern double __vergo_rint(double);
extern double __vergo_round(double);
extern double __vergo_fmod(double, double);
extern double __vergo_remainder(double, double);
extern double __vergo_fmin(double, double);
extern double __vergo_fmax(double, double);
extern double __vergo_fma(double, double, double);

double fabs(double x)
{
    return __vergo_fabs(x);
}

double floor(double x)
{
    return __vergo_floor(x);
}

double ceil(double x)
{
    return __vergo_ceil(x);
}

double trunc(double x)
{
    return __vergo_trunc(x);
}

double rint(double x)
{
    return __vergo_rint(x);
}

double round(double x)
{
    return __vergo_round(x);
}

double sqrt(double x)
{
    if (x < 0)
        *__errno_location() = 33;
    return __vergo_sqrt(x);
}

double nearbyint(double x)
{
    return __vergo_rint(x);
}

double roundeven(double x)
{
    return __vergo_rint(x);
}

double fmod(double x, double y)
{
    return __vergo_fmod(x, y);
}

double remainder(double x, double y)
{
    return __vergo_remainder(x, y);
}

double fmin(double x, double y)
{
    return __vergo_fmin(x, y);
}

double fmax(double x, double y)
{
    return __vergo_fmax(x, y);
}

double drem(double x, double y)
{
    return __vergo_remainder(x, y);
}

double fma(double x, double y, double z)
{
    return __vergo_fma(x, y, z);
}

double copysign(double x, double y)
{
    double a = __vergo_fabs(x);
    return __builtin_signbit(y) ? -a : a;
}

double fdim(double x, double y)
{
    if (__builtin_isnan(x) || __builtin_isnan(y))
        return x + y;
    return x > y ? x - y : 0;
}

long lrint(double x)
{
    return (long)__vergo_rint(x);
}

long long llrint(double x)
{
    return (long long)__vergo_rint(x);
}

long lround(double x)
{
    return (long)__vergo_round(x);
}

long long llround(double x)
{
    return (long long)__vergo_round(x);
}

double modf(double x, double *whole)
{
    double w = __vergo_trunc(x);
    *whole = w;
    if (__builtin_isinf(x))
        return __builtin_signbit(x) ? -(double)0 : (double)0;
    double part = x - w;
    return part == 0 && __builtin_signbit(x) ? -(double)0 : part;
}

double nan(const char *tag)
{
    (void)tag;
    return (double)__builtin_nan("");
}
