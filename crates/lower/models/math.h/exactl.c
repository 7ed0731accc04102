/* Operations whose result IEEE 754 fixes (C17 7.12, F.10), at type `long double`. */

extern long double __vergo_fabs(long double);
extern long double __vergo_sqrt(long double);
extern long double __vergo_floor(long double);
extern long double __vergo_ceil(long double);
extern long double __vergo_trunc(long double);
extern long double __vergo_rint(long double);
extern long double __vergo_round(long double);
extern long double __vergo_fmod(long double, long double);
extern long double __vergo_remainder(long double, long double);
extern long double __vergo_fmin(long double, long double);
extern long double __vergo_fmax(long double, long double);
extern long double __vergo_fma(long double, long double, long double);

long double fabsl(long double x)
{
    return __vergo_fabs(x);
}

long double floorl(long double x)
{
    return __vergo_floor(x);
}

long double ceill(long double x)
{
    return __vergo_ceil(x);
}

long double truncl(long double x)
{
    return __vergo_trunc(x);
}

long double rintl(long double x)
{
    return __vergo_rint(x);
}

long double roundl(long double x)
{
    return __vergo_round(x);
}

long double sqrtl(long double x)
{
    if (x < 0)
        *__errno_location() = 33;
    return __vergo_sqrt(x);
}

long double nearbyintl(long double x)
{
    return __vergo_rint(x);
}

long double roundevenl(long double x)
{
    return __vergo_rint(x);
}

long double fmodl(long double x, long double y)
{
    return __vergo_fmod(x, y);
}

long double remainderl(long double x, long double y)
{
    return __vergo_remainder(x, y);
}

long double fminl(long double x, long double y)
{
    return __vergo_fmin(x, y);
}

long double fmaxl(long double x, long double y)
{
    return __vergo_fmax(x, y);
}

long double dreml(long double x, long double y)
{
    return __vergo_remainder(x, y);
}

long double fmal(long double x, long double y, long double z)
{
    return __vergo_fma(x, y, z);
}

long double copysignl(long double x, long double y)
{
    long double a = __vergo_fabs(x);
    return __builtin_signbit(y) ? -a : a;
}

long double fdiml(long double x, long double y)
{
    if (__builtin_isnan(x) || __builtin_isnan(y))
        return x + y;
    return x > y ? x - y : 0;
}

long lrintl(long double x)
{
    return (long)__vergo_rint(x);
}

long long llrintl(long double x)
{
    return (long long)__vergo_rint(x);
}

long lroundl(long double x)
{
    return (long)__vergo_round(x);
}

long long llroundl(long double x)
{
    return (long long)__vergo_round(x);
}

long double modfl(long double x, long double *whole)
{
    long double w = __vergo_trunc(x);
    *whole = w;
    if (__builtin_isinf(x))
        return __builtin_signbit(x) ? -(long double)0 : (long double)0;
    long double part = x - w;
    return part == 0 && __builtin_signbit(x) ? -(long double)0 : part;
}

long double nanl(const char *tag)
{
    (void)tag;
    return (long double)__builtin_nan("");
}
