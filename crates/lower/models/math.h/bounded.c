/* Functions whose last digits no standard fixes, at type `REAL`: any value of the range that the function has. In a
   run they are computed. */

extern int __vergo_concrete(void);
extern long double __vergo_sqrt(long double);
extern long double __vergo_sin(long double);
extern long double __vergo_cos(long double);
extern long double __vergo_atan(long double);
extern long double __vergo_exp(long double);
extern long double __vergo_expm1(long double);
extern long double __vergo_log(long double);
extern long double __vergo_log1p(long double);
extern long double __vergo_cbrt(long double);
extern long double __vergo_pow(long double, long double), __vergo_atan2(long double, long double);

static REAL any(void)
{
    REAL r = __VERIFIER_nondet_REAL();
    __vergo_assume(!__builtin_isnan(r));
    return r;
}

static REAL not_a_number(void)
{
    *__errno_location() = 33;
    return (REAL)__builtin_nan("");
}

REAL sin_R(REAL x)
{
    if (__builtin_isnan(x))
        return x;
    if (__builtin_isinf(x))
        return not_a_number();
    if (x == 0)
        return x;
    if (__vergo_concrete())
        return (REAL)(__vergo_sin(x));
    REAL r = any();
    __vergo_assume(r >= -1 && r <= 1);
    return r;
}

REAL cos_R(REAL x)
{
    if (__builtin_isnan(x))
        return x;
    if (__builtin_isinf(x))
        return not_a_number();
    if (x == 0)
        return 1;
    if (__vergo_concrete())
        return (REAL)(__vergo_cos(x));
    REAL r = any();
    __vergo_assume(r >= -1 && r <= 1);
    return r;
}

REAL tan_R(REAL x)
{
    if (__builtin_isnan(x))
        return x;
    if (__builtin_isinf(x))
        return not_a_number();
    if (x == 0)
        return x;
    if (__vergo_concrete())
        return (REAL)(__vergo_sin(x) / __vergo_cos(x));
    REAL r = any();
    __vergo_assume(!__builtin_isinf(r));
    return r;
}

REAL asin_R(REAL x)
{
    if (__builtin_isnan(x))
        return x;
    if (x < -1 || x > 1)
        return not_a_number();
    if (x == 0)
        return x;
    if (__vergo_concrete())
        return (REAL)(__vergo_atan2(x, __vergo_sqrt((1 - (long double)x) * (1 + (long double)x))));
    REAL r = any();
    __vergo_assume(r >= -(REAL)1.5708 && r <= (REAL)1.5708);
    return r;
}

REAL acos_R(REAL x)
{
    if (__builtin_isnan(x))
        return x;
    if (x < -1 || x > 1)
        return not_a_number();
    if (__vergo_concrete())
        return (REAL)(2 * __vergo_atan2(__vergo_sqrt(1 - (long double)x), __vergo_sqrt(1 + (long double)x)));
    REAL r = any();
    __vergo_assume(r >= 0 && r <= (REAL)3.1416);
    return r;
}

REAL atan_R(REAL x)
{
    if (__builtin_isnan(x))
        return x;
    if (x == 0)
        return x;
    if (__vergo_concrete())
        return (REAL)(__vergo_atan(x));
    REAL r = any();
    __vergo_assume(r >= -(REAL)1.5708 && r <= (REAL)1.5708 && (x > 0) == (r > 0));
    return r;
}

REAL sinh_R(REAL x)
{
    if (__builtin_isnan(x))
        return x;
    if (x == 0)
        return x;
    if (__vergo_concrete())
        return (REAL)((__vergo_expm1(x) - __vergo_expm1(-x)) / 2);
    REAL r = any();
    __vergo_assume((x > 0) == (r > 0) && (x > 0 ? r >= x / 2 : r <= x / 2));
    return r;
}

REAL cosh_R(REAL x)
{
    if (__builtin_isnan(x))
        return x;
    if (x == 0)
        return 1;
    if (__vergo_concrete())
        return (REAL)((__vergo_exp(x) + __vergo_exp(-x)) / 2);
    REAL r = any();
    __vergo_assume(r >= 1);
    return r;
}

REAL tanh_R(REAL x)
{
    if (__builtin_isnan(x))
        return x;
    if (x == 0)
        return x;
    if (__vergo_concrete())
        return (REAL)(x > 40 ? 1 : x < -40 ? -1 : __vergo_expm1(2 * (long double)x) / (__vergo_expm1(2 * (long double)x) + 2));
    REAL r = any();
    __vergo_assume(r >= -1 && r <= 1 && (x > 0) == (r > 0));
    return r;
}

REAL asinh_R(REAL x)
{
    if (__builtin_isnan(x))
        return x;
    if (x == 0)
        return x;
    if (__vergo_concrete())
        return (REAL)(x < 0 ? -__vergo_log(-x + __vergo_sqrt((long double)x * x + 1)) : __vergo_log(x + __vergo_sqrt((long double)x * x + 1)));
    REAL r = any();
    __vergo_assume((x > 0) == (r > 0));
    return r;
}

REAL acosh_R(REAL x)
{
    if (__builtin_isnan(x))
        return x;
    if (x < 1)
        return not_a_number();
    if (__vergo_concrete())
        return (REAL)(__vergo_log(x + __vergo_sqrt((long double)x * x - 1)));
    REAL r = any();
    __vergo_assume(r >= 0);
    return r;
}

REAL atanh_R(REAL x)
{
    if (__builtin_isnan(x))
        return x;
    if (x < -1 || x > 1)
        return not_a_number();
    if (x == 0)
        return x;
    if (__vergo_concrete())
        return (REAL)((__vergo_log1p(x) - __vergo_log1p(-x)) / 2);
    REAL r = any();
    __vergo_assume((x > 0) == (r > 0));
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
    if (__vergo_concrete())
        return (REAL)(__vergo_exp(x));
    REAL r = any();
    __vergo_assume(r >= 0 && (x > 0 ? r >= 1 : r <= 1));
    return r;
}

REAL exp2_R(REAL x)
{
    if (__builtin_isnan(x))
        return x;
    if (x == 0)
        return 1;
    if (__builtin_isinf(x))
        return x > 0 ? x : 0;
    if (__vergo_concrete())
        return (REAL)(__vergo_pow(2, x));
    REAL r = any();
    __vergo_assume(r >= 0 && (x > 0 ? r >= 1 : r <= 1));
    return r;
}

REAL exp10_R(REAL x)
{
    if (__builtin_isnan(x))
        return x;
    if (x == 0)
        return 1;
    if (__builtin_isinf(x))
        return x > 0 ? x : 0;
    if (__vergo_concrete())
        return (REAL)(__vergo_pow(10, x));
    REAL r = any();
    __vergo_assume(r >= 0 && (x > 0 ? r >= 1 : r <= 1));
    return r;
}

REAL expm1_R(REAL x)
{
    if (__builtin_isnan(x))
        return x;
    if (x == 0)
        return x;
    if (__vergo_concrete())
        return (REAL)(__vergo_expm1(x));
    REAL r = any();
    __vergo_assume(r >= -1 && (x > 0) == (r > 0 || r == 0 && x > 0));
    return r;
}

REAL log_R(REAL x)
{
    if (__builtin_isnan(x))
        return x;
    if (x < 0)
        return not_a_number();
    if (x == 0) {
        *__errno_location() = 34;
        return -(REAL)__builtin_inf();
    }
    if (x == 1)
        return 0;
    if (__builtin_isinf(x))
        return x;
    if (__vergo_concrete())
        return (REAL)(__vergo_log(x));
    REAL r = any();
    __vergo_assume(!__builtin_isinf(r) && (x > 1 ? r >= 0 : r <= 0));
    return r;
}

REAL log2_R(REAL x)
{
    if (__builtin_isnan(x))
        return x;
    if (x < 0)
        return not_a_number();
    if (x == 0) {
        *__errno_location() = 34;
        return -(REAL)__builtin_inf();
    }
    if (x == 1)
        return 0;
    if (__builtin_isinf(x))
        return x;
    if (__vergo_concrete())
        return (REAL)(__vergo_log(x) / 0xb.17217f7d1cf79abp-4L);
    REAL r = any();
    __vergo_assume(!__builtin_isinf(r) && (x > 1 ? r >= 0 : r <= 0));
    return r;
}

REAL log10_R(REAL x)
{
    if (__builtin_isnan(x))
        return x;
    if (x < 0)
        return not_a_number();
    if (x == 0) {
        *__errno_location() = 34;
        return -(REAL)__builtin_inf();
    }
    if (x == 1)
        return 0;
    if (__builtin_isinf(x))
        return x;
    if (__vergo_concrete())
        return (REAL)(__vergo_log(x) / 0x9.35d8dddaaa8ac17p-2L);
    REAL r = any();
    __vergo_assume(!__builtin_isinf(r) && (x > 1 ? r >= 0 : r <= 0));
    return r;
}

REAL log1p_R(REAL x)
{
    if (__builtin_isnan(x))
        return x;
    if (x < -1)
        return not_a_number();
    if (x == -1)
        return -(REAL)__builtin_inf();
    if (x == 0)
        return x;
    if (__vergo_concrete())
        return (REAL)(__vergo_log1p(x));
    REAL r = any();
    __vergo_assume(x > 0 ? r >= 0 : r <= 0);
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
    if (__vergo_concrete())
        return (REAL)(__vergo_cbrt(x));
    REAL r = any();
    __vergo_assume(!__builtin_isinf(r) && (x > 0 ? r > 0 : r < 0));
    return r;
}

REAL erf_R(REAL x)
{
    if (__builtin_isnan(x))
        return x;
    if (x == 0)
        return x;
    REAL r = any();
    __vergo_assume(r >= -1 && r <= 1 && (x > 0 ? r >= 0 : r <= 0));
    return r;
}

REAL erfc_R(REAL x)
{
    if (__builtin_isnan(x))
        return x;
    REAL r = any();
    __vergo_assume(r >= 0 && r <= 2);
    return r;
}

REAL tgamma_R(REAL x)
{
    if (__builtin_isnan(x))
        return x;
    if (x < 0 && __builtin_isinf(x))
        return not_a_number();
    REAL r = any();
    __vergo_assume(1);
    return r;
}

REAL lgamma_R(REAL x)
{
    if (__builtin_isnan(x))
        return x;
    REAL r = any();
    __vergo_assume(1);
    return r;
}

REAL atan2_R(REAL y, REAL x)
{
    if (__builtin_isnan(x) || __builtin_isnan(y))
        return x + y;
    if (__vergo_concrete())
        return (REAL)__vergo_atan2(y, x);
    REAL r = any();
    __vergo_assume(r >= -(REAL)3.1416 && r <= (REAL)3.1416 && (y > 0 ? r >= 0 : y < 0 ? r <= 0 : 1));
    return r;
}

REAL hypot_R(REAL x, REAL y)
{
    if (__builtin_isinf(x) || __builtin_isinf(y))
        return (REAL)__builtin_inf();
    if (__builtin_isnan(x) || __builtin_isnan(y))
        return x + y;
    if (x < 0)
        x = -x;
    if (y < 0)
        y = -y;
    if (x == 0 || y == 0)
        return x + y;
    if (__vergo_concrete())
        return (REAL)__vergo_sqrt((long double)x * x + (long double)y * y);
    REAL r = any();
    __vergo_assume(r >= (x > y ? x : y));
    return r;
}

REAL pow_R(REAL x, REAL y)
{
    if (y == 0 || x == 1)
        return 1;
    if (__builtin_isnan(x) || __builtin_isnan(y))
        return x + y;
    if (y == 1)
        return x;
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
    if (x < 0 && !__builtin_isinf(x) && !__builtin_isinf(y) && y > -1000000000 && y < 1000000000 && y != (int)y)
        return not_a_number();
    if (__vergo_concrete())
        return (REAL)__vergo_pow(x, y);
    REAL r = any();
    if (x > 0)
        __vergo_assume(r >= 0 && ((x > 1) == (y > 0) ? r >= 1 : r <= 1));
    return r;
}
