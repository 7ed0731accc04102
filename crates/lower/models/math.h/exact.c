/* Operations whose result IEEE 754 fixes (C17 7.12, F.10), at type REAL. */

extern REAL __vergo_fabs(REAL);
extern REAL __vergo_sqrt(REAL);
extern REAL __vergo_floor(REAL);
extern REAL __vergo_ceil(REAL);
extern REAL __vergo_trunc(REAL);
extern REAL __vergo_rint(REAL);
extern REAL __vergo_round(REAL);
extern REAL __vergo_fmod(REAL, REAL);
extern REAL __vergo_remainder(REAL, REAL);
extern REAL __vergo_fmin(REAL, REAL);
extern REAL __vergo_fmax(REAL, REAL);
extern REAL __vergo_fma(REAL, REAL, REAL);

REAL fabs_R(REAL x)
{
    return __vergo_fabs(x);
}

REAL floor_R(REAL x)
{
    return __vergo_floor(x);
}

REAL ceil_R(REAL x)
{
    return __vergo_ceil(x);
}

REAL trunc_R(REAL x)
{
    return __vergo_trunc(x);
}

REAL rint_R(REAL x)
{
    return __vergo_rint(x);
}

REAL round_R(REAL x)
{
    return __vergo_round(x);
}

REAL sqrt_R(REAL x)
{
    if (x < 0)
        *__errno_location() = 33;
    return __vergo_sqrt(x);
}

REAL nearbyint_R(REAL x)
{
    return __vergo_rint(x);
}

REAL roundeven_R(REAL x)
{
    return __vergo_rint(x);
}

REAL fmod_R(REAL x, REAL y)
{
    return __vergo_fmod(x, y);
}

REAL remainder_R(REAL x, REAL y)
{
    return __vergo_remainder(x, y);
}

/* Zeros of different signs: which is the greater one is left open (C17 F.10.9.2p3). */
static int are_zeros(REAL x, REAL y)
{
    return x == 0 && y == 0 && !__builtin_signbit(x) != !__builtin_signbit(y);
}

static REAL either(REAL x, REAL y)
{
    return __vergo_concrete() || __VERIFIER_nondet_bool() ? x : y;
}

REAL fmin_R(REAL x, REAL y)
{
    return are_zeros(x, y) ? either(x, y) : __vergo_fmin(x, y);
}

REAL fmax_R(REAL x, REAL y)
{
    return are_zeros(x, y) ? either(x, y) : __vergo_fmax(x, y);
}

REAL drem_R(REAL x, REAL y)
{
    return __vergo_remainder(x, y);
}

REAL fma_R(REAL x, REAL y, REAL z)
{
    return __vergo_fma(x, y, z);
}

REAL copysign_R(REAL x, REAL y)
{
    REAL a = __vergo_fabs(x);
    return __builtin_signbit(y) ? -a : a;
}

REAL fdim_R(REAL x, REAL y)
{
    if (__builtin_isnan(x) || __builtin_isnan(y))
        return x + y;
    return x > y ? x - y : 0;
}

long lrint_R(REAL x)
{
    return (long)__vergo_rint(x);
}

long long llrint_R(REAL x)
{
    return (long long)__vergo_rint(x);
}

long lround_R(REAL x)
{
    return (long)__vergo_round(x);
}

long long llround_R(REAL x)
{
    return (long long)__vergo_round(x);
}

REAL modf_R(REAL x, REAL *whole)
{
    REAL w = __vergo_trunc(x);
    *whole = w;
    if (__builtin_isinf(x))
        return __builtin_signbit(x) ? -(REAL)0 : (REAL)0;
    REAL part = x - w;
    return part == 0 && __builtin_signbit(x) ? -(REAL)0 : part;
}

REAL nan_R(const char *tag)
{
    takes_text(tag);
    return (REAL)__builtin_nan_R("");
}
