/* Functions whose last digits no standard fixes, at type `REAL` (C17 7.12). A value is the exact one, rounded to nearest. Where
   arguments are not constant, verification knows only that equal arguments give equal values and what is assumed here; a
   counterexample that rests on another value is none. */

extern REAL __vergo_real_acos(REAL);
extern REAL __vergo_real_acosh(REAL);
extern REAL __vergo_real_asin(REAL);
extern REAL __vergo_real_asinh(REAL);
extern REAL __vergo_real_atan(REAL);
extern REAL __vergo_real_atanh(REAL);
extern REAL __vergo_real_cbrt(REAL);
extern REAL __vergo_real_cos(REAL);
extern REAL __vergo_real_cosh(REAL);
extern REAL __vergo_real_erf(REAL);
extern REAL __vergo_real_erfc(REAL);
extern REAL __vergo_real_exp(REAL);
extern REAL __vergo_real_exp10(REAL);
extern REAL __vergo_real_exp2(REAL);
extern REAL __vergo_real_expm1(REAL);
extern REAL __vergo_real_log(REAL);
extern REAL __vergo_real_log10(REAL);
extern REAL __vergo_real_log1p(REAL);
extern REAL __vergo_real_log2(REAL);
extern REAL __vergo_real_sin(REAL);
extern REAL __vergo_real_sinh(REAL);
extern REAL __vergo_real_tan(REAL);
extern REAL __vergo_real_tanh(REAL);
extern REAL __vergo_real_atan2(REAL, REAL);
extern REAL __vergo_real_hypot(REAL, REAL);
extern REAL __vergo_real_pow(REAL, REAL);

/* The bits of a number; those of a long one are folded. */
static long long bits_of(REAL x)
{
    union { long long words[2]; REAL number; } as = { { 0, 0 } };
    as.number = x;
    return sizeof(REAL) == 4 ? as.words[0] & 0xffffffff : sizeof(REAL) == 8 ? as.words[0] : as.words[0] ^ (as.words[1] & 0xffff) << 47;
}

/* The result outside of a function's domain; C does not fix its sign. */
static REAL not_a_number(int function, REAL x, REAL y)
{
    *__errno_location() = 33;
    REAL r = (REAL)__builtin_nan("");
    return __vergo_concrete() || __vergo_choice(function + 64 * (int)sizeof(REAL), bits_of(x), bits_of(y)) < 0 ? -r : r;
}

/* The error of a result that is too large or too small for its type. */
static REAL ranged(REAL r)
{
    if (r == 0 || __builtin_isinf(r))
        *__errno_location() = 34;
    return r;
}

REAL sin_R(REAL x)
{
    if (__builtin_isnan(x))
        return x;
    if (__builtin_isinf(x))
        return not_a_number(CHOICE_SIN, x, 0);
    if (x == 0)
        return x;
    REAL r = __vergo_real_sin(x);
    __vergo_assume(r >= -1 && r <= 1);
    return r;
}

REAL cos_R(REAL x)
{
    if (__builtin_isnan(x))
        return x;
    if (__builtin_isinf(x))
        return not_a_number(CHOICE_COS, x, 0);
    if (x == 0)
        return 1;
    REAL r = __vergo_real_cos(x);
    __vergo_assume(r >= -1 && r <= 1);
    return r;
}

REAL tan_R(REAL x)
{
    if (__builtin_isnan(x))
        return x;
    if (__builtin_isinf(x))
        return not_a_number(CHOICE_TAN, x, 0);
    if (x == 0)
        return x;
    REAL r = __vergo_real_tan(x);
    __vergo_assume(!__builtin_isnan(r) && !__builtin_isinf(r));
    return r;
}

REAL asin_R(REAL x)
{
    if (__builtin_isnan(x))
        return x;
    if (x < -1 || x > 1)
        return not_a_number(CHOICE_ASIN, x, 0);
    if (x == 0)
        return x;
    REAL r = __vergo_real_asin(x);
    __vergo_assume(r >= -(REAL)1.5708 && r <= (REAL)1.5708 && (x > 0 ? r >= x : r <= x));
    return r;
}

REAL acos_R(REAL x)
{
    if (__builtin_isnan(x))
        return x;
    if (x < -1 || x > 1)
        return not_a_number(CHOICE_ACOS, x, 0);
    if (x == 1)
        return 0;
    REAL r = __vergo_real_acos(x);
    __vergo_assume(r >= 0 && r <= (REAL)3.1416);
    return r;
}

REAL atan_R(REAL x)
{
    if (__builtin_isnan(x))
        return x;
    if (x == 0)
        return x;
    REAL r = __vergo_real_atan(x);
    __vergo_assume(r >= -(REAL)1.5708 && r <= (REAL)1.5708 && (x > 0 ? r >= 0 && r <= x : r <= 0 && r >= x));
    return r;
}

REAL sinh_R(REAL x)
{
    if (__builtin_isnan(x))
        return x;
    if (x == 0)
        return x;
    REAL r = __vergo_real_sinh(x);
    __vergo_assume(x > 0 ? r >= x : r <= x);
    return ranged(r);
}

REAL cosh_R(REAL x)
{
    if (__builtin_isnan(x))
        return x;
    if (x == 0)
        return 1;
    REAL r = __vergo_real_cosh(x);
    __vergo_assume(r >= 1);
    return ranged(r);
}

REAL tanh_R(REAL x)
{
    if (__builtin_isnan(x))
        return x;
    if (x == 0)
        return x;
    REAL r = __vergo_real_tanh(x);
    __vergo_assume(r >= -1 && r <= 1 && (x > 0 ? r >= 0 && r <= x : r <= 0 && r >= x));
    return r;
}

REAL asinh_R(REAL x)
{
    if (__builtin_isnan(x))
        return x;
    if (x == 0)
        return x;
    REAL r = __vergo_real_asinh(x);
    __vergo_assume(x > 0 ? r >= 0 && r <= x : r <= 0 && r >= x);
    return r;
}

REAL acosh_R(REAL x)
{
    if (__builtin_isnan(x))
        return x;
    if (x < 1)
        return not_a_number(CHOICE_ACOSH, x, 0);
    if (x == 1)
        return 0;
    REAL r = __vergo_real_acosh(x);
    __vergo_assume(r >= 0 && r <= x);
    return r;
}

REAL atanh_R(REAL x)
{
    if (__builtin_isnan(x))
        return x;
    if (x < -1 || x > 1)
        return not_a_number(CHOICE_ATANH, x, 0);
    if (x == 0)
        return x;
    if (x == 1 || x == -1) {
        *__errno_location() = 34;
        return x * (REAL)__builtin_inf();
    }
    REAL r = __vergo_real_atanh(x);
    __vergo_assume(x > 0 ? r >= x : r <= x);
    return r;
}

REAL exp_R(REAL x)
{
    if (__builtin_isnan(x))
        return x;
    if (x == 0)
        return 1;
    if (__builtin_isinf(x))
        return x > 0 ? x : 0;
    REAL r = __vergo_real_exp(x);
    __vergo_assume(r >= 0 && (x > 0 ? r >= 1 && r >= x : r <= 1));
    return ranged(r);
}

REAL exp2_R(REAL x)
{
    if (__builtin_isnan(x))
        return x;
    if (x == 0)
        return 1;
    if (__builtin_isinf(x))
        return x > 0 ? x : 0;
    REAL r = __vergo_real_exp2(x);
    __vergo_assume(r >= 0 && (x > 0 ? r >= 1 : r <= 1));
    return ranged(r);
}

REAL exp10_R(REAL x)
{
    if (__builtin_isnan(x))
        return x;
    if (x == 0)
        return 1;
    if (__builtin_isinf(x))
        return x > 0 ? x : 0;
    REAL r = __vergo_real_exp10(x);
    __vergo_assume(r >= 0 && (x > 0 ? r >= 1 && r >= x : r <= 1));
    return ranged(r);
}

REAL expm1_R(REAL x)
{
    if (__builtin_isnan(x))
        return x;
    if (x == 0)
        return x;
    REAL r = __vergo_real_expm1(x);
    __vergo_assume(r >= -1 && (x > 0 ? r >= x : r <= 0 && r >= x));
    return __builtin_isinf(r) ? ranged(r) : r;
}

REAL log_R(REAL x)
{
    if (__builtin_isnan(x))
        return x;
    if (x < 0)
        return not_a_number(CHOICE_LOG, x, 0);
    if (x == 0) {
        *__errno_location() = 34;
        return -(REAL)__builtin_inf();
    }
    if (x == 1)
        return 0;
    if (__builtin_isinf(x))
        return x;
    REAL r = __vergo_real_log(x);
    __vergo_assume(!__builtin_isnan(r) && !__builtin_isinf(r) && (x > 1 ? r >= 0 && r <= x : r <= 0));
    return r;
}

REAL log2_R(REAL x)
{
    if (__builtin_isnan(x))
        return x;
    if (x < 0)
        return not_a_number(CHOICE_LOG2, x, 0);
    if (x == 0) {
        *__errno_location() = 34;
        return -(REAL)__builtin_inf();
    }
    if (x == 1)
        return 0;
    if (__builtin_isinf(x))
        return x;
    REAL r = __vergo_real_log2(x);
    __vergo_assume(!__builtin_isnan(r) && !__builtin_isinf(r) && (x > 1 ? r >= 0 && r <= x : r <= 0));
    return r;
}

REAL log10_R(REAL x)
{
    if (__builtin_isnan(x))
        return x;
    if (x < 0)
        return not_a_number(CHOICE_LOG10, x, 0);
    if (x == 0) {
        *__errno_location() = 34;
        return -(REAL)__builtin_inf();
    }
    if (x == 1)
        return 0;
    if (__builtin_isinf(x))
        return x;
    REAL r = __vergo_real_log10(x);
    __vergo_assume(!__builtin_isnan(r) && !__builtin_isinf(r) && (x > 1 ? r >= 0 && r <= x : r <= 0));
    return r;
}

REAL log1p_R(REAL x)
{
    if (__builtin_isnan(x))
        return x;
    if (x < -1)
        return not_a_number(CHOICE_LOG1P, x, 0);
    if (x == -1) {
        *__errno_location() = 34;
        return -(REAL)__builtin_inf();
    }
    if (x == 0)
        return x;
    REAL r = __vergo_real_log1p(x);
    __vergo_assume(x > 0 ? r >= 0 && r <= x : r <= 0 && r <= x);
    return r;
}

REAL cbrt_R(REAL x)
{
    if (__builtin_isnan(x))
        return x;
    if (x == 0)
        return x;
    if (__builtin_isinf(x))
        return x;
    REAL r = __vergo_real_cbrt(x);
    __vergo_assume(!__builtin_isinf(r) && (x > 0 ? r > 0 : r < 0));
    return r;
}

REAL erf_R(REAL x)
{
    if (__builtin_isnan(x))
        return x;
    if (x == 0)
        return x;
    REAL r = __vergo_real_erf(x);
    __vergo_assume(r >= -1 && r <= 1 && (x > 0 ? r >= 0 : r <= 0));
    return r;
}

REAL erfc_R(REAL x)
{
    if (__builtin_isnan(x))
        return x;
    REAL r = __vergo_real_erfc(x);
    __vergo_assume(r >= 0 && r <= 2 && (x > 0 ? r <= 1 : r >= 1));
    return r;
}

/* What these give is not computed. */
static REAL any(void)
{
    REAL r = __VERIFIER_nondet_REAL();
    __vergo_assume(!__builtin_isnan(r));
    return r;
}

REAL tgamma_R(REAL x)
{
    if (__builtin_isnan(x))
        return x;
    if (__builtin_isinf(x))
        return x > 0 ? x : not_a_number(CHOICE_TGAMMA, x, 0);
    if (x == 1 || x == 2)
        return 1;
    __vergo_approximation("tgamma");
    return any();
}

REAL lgamma_R(REAL x)
{
    if (__builtin_isnan(x))
        return x;
    if (__builtin_isinf(x))
        return (REAL)__builtin_inf();
    if (x == 1 || x == 2)
        return 0;
    __vergo_approximation("lgamma");
    return any();
}

REAL atan2_R(REAL y, REAL x)
{
    if (__builtin_isnan(x) || __builtin_isnan(y))
        return x + y;
    REAL r = __vergo_real_atan2(y, x);
    __vergo_assume(r >= -(REAL)3.1416 && r <= (REAL)3.1416 && (y > 0 ? r >= 0 : y < 0 ? r <= 0 : 1));
    return r;
}

REAL hypot_R(REAL x, REAL y)
{
    if (__builtin_isinf(x) || __builtin_isinf(y))
        return (REAL)__builtin_inf();
    if (__builtin_isnan(x) || __builtin_isnan(y))
        return x + y;
    /* Zero is positive then, too. */
    if (__builtin_signbit(x))
        x = -x;
    if (__builtin_signbit(y))
        y = -y;
    if (x == 0 || y == 0)
        return x + y;
    REAL r = __vergo_real_hypot(x, y);
    __vergo_assume(r >= (x > y ? x : y));
    return __builtin_isinf(r) ? ranged(r) : r;
}

REAL pow_R(REAL x, REAL y)
{
    if (y == 0 || x == 1)
        return 1;
    if (__builtin_isnan(x) || __builtin_isnan(y))
        return x + y;
    if (y == 1)
        return x;
    if (y == 2)
        return x * x;
    /* Small whole powers of small whole numbers are exact. */
    if (y > 0 && y <= 64 && y == (int)y && x >= -1000000 && x <= 1000000 && x == (int)x) {
        REAL r = 1;
        int exact = 1;
        for (int i = 0; i < (int)y; i++) {
            r *= x;
            if (r >= 2 / REAL_EPSILON || r <= -2 / REAL_EPSILON) {
                exact = 0;
                break;
            }
        }
        if (exact)
            return r;
    }
    REAL r = __vergo_real_pow(x, y);
    if (__builtin_isnan(r))
        return not_a_number(CHOICE_POW, x, y);
    if (x > 0)
        __vergo_assume(r >= 0 && ((x > 1) == (y > 0) ? r >= 1 : r <= 1));
    else
        __vergo_assume(!__builtin_isnan(r));
    if (x != 0 && !__builtin_isinf(x) && !__builtin_isinf(y))
        return ranged(r);
    if (x == 0 && y < 0)
        *__errno_location() = 34;
    return r;
}
