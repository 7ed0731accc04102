/* Functions whose last digits no standard fixes, at type `long double`: any value of the range that the function has. In a
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

static long double any(void)
{
    long double r = __VERIFIER_nondet_longdouble();
    __vergo_assume(!__builtin_isnan(r));
    return r;
}

static long double not_a_number(void)
{
    *__errno_location() = 33;
    return (long double)__builtin_nan("");
}

long double sinl(long double x)
{
    if (__builtin_isnan(x))
        return x;
    if (__builtin_isinf(x))
        return not_a_number();
    if (x == 0)
        return x;
    if (__vergo_concrete())
        return (long double)(__vergo_sin(x));
    long double r = any();
    __vergo_assume(r >= -1 && r <= 1);
    return r;
}

long double cosl(long double x)
{
    if (__builtin_isnan(x))
        return x;
    if (__builtin_isinf(x))
        return not_a_number();
    if (x == 0)
        return 1;
    if (__vergo_concrete())
        return (long double)(__vergo_cos(x));
    long double r = any();
    __vergo_assume(r >= -1 && r <= 1);
    return r;
}

long double tanl(long double x)
{
    if (__builtin_isnan(x))
        return x;
    if (__builtin_isinf(x))
        return not_a_number();
    if (x == 0)
        return x;
    if (__vergo_concrete())
        return (long double)(__vergo_sin(x) / __vergo_cos(x));
    long double r = any();
    __vergo_assume(!__builtin_isinf(r));
    return r;
}

long double asinl(long double x)
{
    if (__builtin_isnan(x))
        return x;
    if (x < -1 || x > 1)
        return not_a_number();
    if (x == 0)
        return x;
    if (__vergo_concrete())
        return (long double)(__vergo_atan2(x, __vergo_sqrt((1 - (long double)x) * (1 + (long double)x))));
    long double r = any();
    __vergo_assume(r >= -(long double)1.5708 && r <= (long double)1.5708);
    return r;
}

long double acosl(long double x)
{
    if (__builtin_isnan(x))
        return x;
    if (x < -1 || x > 1)
        return not_a_number();
    if (__vergo_concrete())
        return (long double)(2 * __vergo_atan2(__vergo_sqrt(1 - (long double)x), __vergo_sqrt(1 + (long double)x)));
    long double r = any();
    __vergo_assume(r >= 0 && r <= (long double)3.1416);
    return r;
}

long double atanl(long double x)
{
    if (__builtin_isnan(x))
        return x;
    if (x == 0)
        return x;
    if (__vergo_concrete())
        return (long double)(__vergo_atan(x));
    long double r = any();
    __vergo_assume(r >= -(long double)1.5708 && r <= (long double)1.5708 && (x > 0) == (r > 0));
    return r;
}

long double sinhl(long double x)
{
    if (__builtin_isnan(x))
        return x;
    if (x == 0)
        return x;
    if (__vergo_concrete())
        return (long double)((__vergo_expm1(x) - __vergo_expm1(-x)) / 2);
    long double r = any();
    __vergo_assume((x > 0) == (r > 0) && (x > 0 ? r >= x / 2 : r <= x / 2));
    return r;
}

long double coshl(long double x)
{
    if (__builtin_isnan(x))
        return x;
    if (x == 0)
        return 1;
    if (__vergo_concrete())
        return (long double)((__vergo_exp(x) + __vergo_exp(-x)) / 2);
    long double r = any();
    __vergo_assume(r >= 1);
    return r;
}

long double tanhl(long double x)
{
    if (__builtin_isnan(x))
        return x;
    if (x == 0)
        return x;
    if (__vergo_concrete())
        return (long double)(x > 40 ? 1 : x < -40 ? -1 : __vergo_expm1(2 * (long double)x) / (__vergo_expm1(2 * (long double)x) + 2));
    long double r = any();
    __vergo_assume(r >= -1 && r <= 1 && (x > 0) == (r > 0));
    return r;
}

long double asinhl(long double x)
{
    if (__builtin_isnan(x))
        return x;
    if (x == 0)
        return x;
    if (__vergo_concrete())
        return (long double)(x < 0 ? -__vergo_log(-x + __vergo_sqrt((long double)x * x + 1)) : __vergo_log(x + __vergo_sqrt((long double)x * x + 1)));
    long double r = any();
    __vergo_assume((x > 0) == (r > 0));
    return r;
}

long double acoshl(long double x)
{
    if (__builtin_isnan(x))
        return x;
    if (x < 1)
        return not_a_number();
    if (__vergo_concrete())
        return (long double)(__vergo_log(x + __vergo_sqrt((long double)x * x - 1)));
    long double r = any();
    __vergo_assume(r >= 0);
    return r;
}

long double atanhl(long double x)
{
    if (__builtin_isnan(x))
        return x;
    if (x < -1 || x > 1)
        return not_a_number();
    if (x == 0)
        return x;
    if (__vergo_concrete())
        return (long double)((__vergo_log1p(x) - __vergo_log1p(-x)) / 2);
    long double r = any();
    __vergo_assume((x > 0) == (r > 0));
    return r;
}

long double expl(long double x)
{
    if (__builtin_isnan(x))
        return x;
    if (x == 0)
        return 1;
    if (__builtin_isinf(x))
        return x > 0 ? x : 0;
    if (__vergo_concrete())
        return (long double)(__vergo_exp(x));
    long double r = any();
    __vergo_assume(r >= 0 && (x > 0 ? r >= 1 : r <= 1));
    return r;
}

long double exp2l(long double x)
{
    if (__builtin_isnan(x))
        return x;
    if (x == 0)
        return 1;
    if (__builtin_isinf(x))
        return x > 0 ? x : 0;
    if (__vergo_concrete())
        return (long double)(__vergo_pow(2, x));
    long double r = any();
    __vergo_assume(r >= 0 && (x > 0 ? r >= 1 : r <= 1));
    return r;
}

long double exp10l(long double x)
{
    if (__builtin_isnan(x))
        return x;
    if (x == 0)
        return 1;
    if (__builtin_isinf(x))
        return x > 0 ? x : 0;
    if (__vergo_concrete())
        return (long double)(__vergo_pow(10, x));
    long double r = any();
    __vergo_assume(r >= 0 && (x > 0 ? r >= 1 : r <= 1));
    return r;
}

long double expm1l(long double x)
{
    if (__builtin_isnan(x))
        return x;
    if (x == 0)
        return x;
    if (__vergo_concrete())
        return (long double)(__vergo_expm1(x));
    long double r = any();
    __vergo_assume(r >= -1 && (x > 0) == (r > 0 || r == 0 && x > 0));
    return r;
}

long double logl(long double x)
{
    if (__builtin_isnan(x))
        return x;
    if (x < 0)
        return not_a_number();
    if (x == 0) {
        *__errno_location() = 34;
        return -(long double)__builtin_inf();
    }
    if (x == 1)
        return 0;
    if (__builtin_isinf(x))
        return x;
    if (__vergo_concrete())
        return (long double)(__vergo_log(x));
    long double r = any();
    __vergo_assume(!__builtin_isinf(r) && (x > 1 ? r >= 0 : r <= 0));
    return r;
}

long double log2l(long double x)
{
    if (__builtin_isnan(x))
        return x;
    if (x < 0)
        return not_a_number();
    if (x == 0) {
        *__errno_location() = 34;
        return -(long double)__builtin_inf();
    }
    if (x == 1)
        return 0;
    if (__builtin_isinf(x))
        return x;
    if (__vergo_concrete())
        return (long double)(__vergo_log(x) / 0xb.17217f7d1cf79abp-4L);
    long double r = any();
    __vergo_assume(!__builtin_isinf(r) && (x > 1 ? r >= 0 : r <= 0));
    return r;
}

long double log10l(long double x)
{
    if (__builtin_isnan(x))
        return x;
    if (x < 0)
        return not_a_number();
    if (x == 0) {
        *__errno_location() = 34;
        return -(long double)__builtin_inf();
    }
    if (x == 1)
        return 0;
    if (__builtin_isinf(x))
        return x;
    if (__vergo_concrete())
        return (long double)(__vergo_log(x) / 0x9.35d8dddaaa8ac17p-2L);
    long double r = any();
    __vergo_assume(!__builtin_isinf(r) && (x > 1 ? r >= 0 : r <= 0));
    return r;
}

long double log1pl(long double x)
{
    if (__builtin_isnan(x))
        return x;
    if (x < -1)
        return not_a_number();
    if (x == -1)
        return -(long double)__builtin_inf();
    if (x == 0)
        return x;
    if (__vergo_concrete())
        return (long double)(__vergo_log1p(x));
    long double r = any();
    __vergo_assume(x > 0 ? r >= 0 : r <= 0);
    return r;
}

long double cbrtl(long double x)
{
    if (__builtin_isnan(x))
        return x;
    if (x == 0)
        return x;
    if (__builtin_isinf(x))
        return x;
    if (__vergo_concrete())
        return (long double)(__vergo_cbrt(x));
    long double r = any();
    __vergo_assume(!__builtin_isinf(r) && (x > 0 ? r > 0 : r < 0));
    return r;
}

long double erfl(long double x)
{
    if (__builtin_isnan(x))
        return x;
    if (x == 0)
        return x;
    long double r = any();
    __vergo_assume(r >= -1 && r <= 1 && (x > 0 ? r >= 0 : r <= 0));
    return r;
}

long double erfcl(long double x)
{
    if (__builtin_isnan(x))
        return x;
    long double r = any();
    __vergo_assume(r >= 0 && r <= 2);
    return r;
}

long double tgammal(long double x)
{
    if (__builtin_isnan(x))
        return x;
    if (x < 0 && __builtin_isinf(x))
        return not_a_number();
    long double r = any();
    __vergo_assume(1);
    return r;
}

long double lgammal(long double x)
{
    if (__builtin_isnan(x))
        return x;
    long double r = any();
    __vergo_assume(1);
    return r;
}

long double atan2l(long double y, long double x)
{
    if (__builtin_isnan(x) || __builtin_isnan(y))
        return x + y;
    if (__vergo_concrete())
        return (long double)__vergo_atan2(y, x);
    long double r = any();
    __vergo_assume(r >= -(long double)3.1416 && r <= (long double)3.1416 && (y > 0 ? r >= 0 : y < 0 ? r <= 0 : 1));
    return r;
}

long double hypotl(long double x, long double y)
{
    if (__builtin_isinf(x) || __builtin_isinf(y))
        return (long double)__builtin_inf();
    if (__builtin_isnan(x) || __builtin_isnan(y))
        return x + y;
    if (x < 0)
        x = -x;
    if (y < 0)
        y = -y;
    if (x == 0 || y == 0)
        return x + y;
    if (__vergo_concrete())
        return (long double)__vergo_sqrt((long double)x * x + (long double)y * y);
    long double r = any();
    __vergo_assume(r >= (x > y ? x : y));
    return r;
}

long double powl(long double x, long double y)
{
    if (y == 0 || x == 1)
        return 1;
    if (__builtin_isnan(x) || __builtin_isnan(y))
        return x + y;
    if (y == 1)
        return x;
    /* Small whole powers of small whole numbers are exact. */
    if (y > 0 && y <= 64 && y == (int)y && x >= -1000000 && x <= 1000000 && x == (int)x) {
        long double r = 1;
        int exact = 1;
        for (int i = 0; i < (int)y; i++) {
            r *= x;
            if (r >= (long double)9223372036854775808.0 || r <= -(long double)9223372036854775808.0) {
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
        return (long double)__vergo_pow(x, y);
    long double r = any();
    if (x > 0)
        __vergo_assume(r >= 0 && ((x > 1) == (y > 0) ? r >= 1 : r <= 1));
    return r;
}
