/* Functions whose last digits no standard fixes, at type `double`: any value of the range that the function has. In a
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

static double any(void)
{
    double r = __VERIFIER_nondet_double();
    __vergo_assume(!__builtin_isnan(r));
    return r;
}

static double not_a_number(void)
{
    *__errno_location() = 33;
    return (double)__builtin_nan("");
}

double sin(double x)
{
    if (__builtin_isnan(x))
        return x;
    if (__builtin_isinf(x))
        return not_a_number();
    if (x == 0)
        return x;
    if (__vergo_concrete())
        return (double)(__vergo_sin(x));
    double r = any();
    __vergo_assume(r >= -1 && r <= 1);
    return r;
}

double cos(double x)
{
    if (__builtin_isnan(x))
        return x;
    if (__builtin_isinf(x))
        return not_a_number();
    if (x == 0)
        return 1;
    if (__vergo_concrete())
        return (double)(__vergo_cos(x));
    double r = any();
    __vergo_assume(r >= -1 && r <= 1);
    return r;
}

double tan(double x)
{
    if (__builtin_isnan(x))
        return x;
    if (__builtin_isinf(x))
        return not_a_number();
    if (x == 0)
        return x;
    if (__vergo_concrete())
        return (double)(__vergo_sin(x) / __vergo_cos(x));
    double r = any();
    __vergo_assume(!__builtin_isinf(r));
    return r;
}

double asin(double x)
{
    if (__builtin_isnan(x))
        return x;
    if (x < -1 || x > 1)
        return not_a_number();
    if (x == 0)
        return x;
    if (__vergo_concrete())
        return (double)(__vergo_atan2(x, __vergo_sqrt((1 - (long double)x) * (1 + (long double)x))));
    double r = any();
    __vergo_assume(r >= -(double)1.5708 && r <= (double)1.5708);
    return r;
}

double acos(double x)
{
    if (__builtin_isnan(x))
        return x;
    if (x < -1 || x > 1)
        return not_a_number();
    if (__vergo_concrete())
        return (double)(2 * __vergo_atan2(__vergo_sqrt(1 - (long double)x), __vergo_sqrt(1 + (long double)x)));
    double r = any();
    __vergo_assume(r >= 0 && r <= (double)3.1416);
    return r;
}

double atan(double x)
{
    if (__builtin_isnan(x))
        return x;
    if (x == 0)
        return x;
    if (__vergo_concrete())
        return (double)(__vergo_atan(x));
    double r = any();
    __vergo_assume(r >= -(double)1.5708 && r <= (double)1.5708 && (x > 0) == (r > 0));
    return r;
}

double sinh(double x)
{
    if (__builtin_isnan(x))
        return x;
    if (x == 0)
        return x;
    if (__vergo_concrete())
        return (double)((__vergo_expm1(x) - __vergo_expm1(-x)) / 2);
    double r = any();
    __vergo_assume((x > 0) == (r > 0) && (x > 0 ? r >= x / 2 : r <= x / 2));
    return r;
}

double cosh(double x)
{
    if (__builtin_isnan(x))
        return x;
    if (x == 0)
        return 1;
    if (__vergo_concrete())
        return (double)((__vergo_exp(x) + __vergo_exp(-x)) / 2);
    double r = any();
    __vergo_assume(r >= 1);
    return r;
}

double tanh(double x)
{
    if (__builtin_isnan(x))
        return x;
    if (x == 0)
        return x;
    if (__vergo_concrete())
        return (double)(x > 40 ? 1 : x < -40 ? -1 : __vergo_expm1(2 * (long double)x) / (__vergo_expm1(2 * (long double)x) + 2));
    double r = any();
    __vergo_assume(r >= -1 && r <= 1 && (x > 0) == (r > 0));
    return r;
}

double asinh(double x)
{
    if (__builtin_isnan(x))
        return x;
    if (x == 0)
        return x;
    if (__vergo_concrete())
        return (double)(x < 0 ? -__vergo_log(-x + __vergo_sqrt((long double)x * x + 1)) : __vergo_log(x + __vergo_sqrt((long double)x * x + 1)));
    double r = any();
    __vergo_assume((x > 0) == (r > 0));
    return r;
}

double acosh(double x)
{
    if (__builtin_isnan(x))
        return x;
    if (x < 1)
        return not_a_number();
    if (__vergo_concrete())
        return (double)(__vergo_log(x + __vergo_sqrt((long double)x * x - 1)));
    double r = any();
    __vergo_assume(r >= 0);
    return r;
}

double atanh(double x)
{
    if (__builtin_isnan(x))
        return x;
    if (x < -1 || x > 1)
        return not_a_number();
    if (x == 0)
        return x;
    if (__vergo_concrete())
        return (double)((__vergo_log1p(x) - __vergo_log1p(-x)) / 2);
    double r = any();
    __vergo_assume((x > 0) == (r > 0));
    return r;
}

double exp(double x)
{
    if (__builtin_isnan(x))
        return x;
    if (x == 0)
        return 1;
    if (__builtin_isinf(x))
        return x > 0 ? x : 0;
    if (__vergo_concrete())
        return (double)(__vergo_exp(x));
    double r = any();
    __vergo_assume(r >= 0 && (x > 0 ? r >= 1 : r <= 1));
    return r;
}

double exp2(double x)
{
    if (__builtin_isnan(x))
        return x;
    if (x == 0)
        return 1;
    if (__builtin_isinf(x))
        return x > 0 ? x : 0;
    if (__vergo_concrete())
        return (double)(__vergo_pow(2, x));
    double r = any();
    __vergo_assume(r >= 0 && (x > 0 ? r >= 1 : r <= 1));
    return r;
}

double exp10(double x)
{
    if (__builtin_isnan(x))
        return x;
    if (x == 0)
        return 1;
    if (__builtin_isinf(x))
        return x > 0 ? x : 0;
    if (__vergo_concrete())
        return (double)(__vergo_pow(10, x));
    double r = any();
    __vergo_assume(r >= 0 && (x > 0 ? r >= 1 : r <= 1));
    return r;
}

double expm1(double x)
{
    if (__builtin_isnan(x))
        return x;
    if (x == 0)
        return x;
    if (__vergo_concrete())
        return (double)(__vergo_expm1(x));
    double r = any();
    __vergo_assume(r >= -1 && (x > 0) == (r > 0 || r == 0 && x > 0));
    return r;
}

double log(double x)
{
    if (__builtin_isnan(x))
        return x;
    if (x < 0)
        return not_a_number();
    if (x == 0) {
        *__errno_location() = 34;
        return -(double)__builtin_inf();
    }
    if (x == 1)
        return 0;
    if (__builtin_isinf(x))
        return x;
    if (__vergo_concrete())
        return (double)(__vergo_log(x));
    double r = any();
    __vergo_assume(!__builtin_isinf(r) && (x > 1 ? r >= 0 : r <= 0));
    return r;
}

double log2(double x)
{
    if (__builtin_isnan(x))
        return x;
    if (x < 0)
        return not_a_number();
    if (x == 0) {
        *__errno_location() = 34;
        return -(double)__builtin_inf();
    }
    if (x == 1)
        return 0;
    if (__builtin_isinf(x))
        return x;
    if (__vergo_concrete())
        return (double)(__vergo_log(x) / 0xb.17217f7d1cf79abp-4L);
    double r = any();
    __vergo_assume(!__builtin_isinf(r) && (x > 1 ? r >= 0 : r <= 0));
    return r;
}

double log10(double x)
{
    if (__builtin_isnan(x))
        return x;
    if (x < 0)
        return not_a_number();
    if (x == 0) {
        *__errno_location() = 34;
        return -(double)__builtin_inf();
    }
    if (x == 1)
        return 0;
    if (__builtin_isinf(x))
        return x;
    if (__vergo_concrete())
        return (double)(__vergo_log(x) / 0x9.35d8dddaaa8ac17p-2L);
    double r = any();
    __vergo_assume(!__builtin_isinf(r) && (x > 1 ? r >= 0 : r <= 0));
    return r;
}

double log1p(double x)
{
    if (__builtin_isnan(x))
        return x;
    if (x < -1)
        return not_a_number();
    if (x == -1)
        return -(double)__builtin_inf();
    if (x == 0)
        return x;
    if (__vergo_concrete())
        return (double)(__vergo_log1p(x));
    double r = any();
    __vergo_assume(x > 0 ? r >= 0 : r <= 0);
    return r;
}

double cbrt(double x)
{
    if (__builtin_isnan(x))
        return x;
    if (x == 0)
        return x;
    if (__builtin_isinf(x))
        return x;
    if (__vergo_concrete())
        return (double)(__vergo_cbrt(x));
    double r = any();
    __vergo_assume(!__builtin_isinf(r) && (x > 0 ? r > 0 : r < 0));
    return r;
}

double erf(double x)
{
    if (__builtin_isnan(x))
        return x;
    if (x == 0)
        return x;
    double r = any();
    __vergo_assume(r >= -1 && r <= 1 && (x > 0 ? r >= 0 : r <= 0));
    return r;
}

double erfc(double x)
{
    if (__builtin_isnan(x))
        return x;
    double r = any();
    __vergo_assume(r >= 0 && r <= 2);
    return r;
}

double tgamma(double x)
{
    if (__builtin_isnan(x))
        return x;
    if (x < 0 && __builtin_isinf(x))
        return not_a_number();
    double r = any();
    __vergo_assume(1);
    return r;
}

double lgamma(double x)
{
    if (__builtin_isnan(x))
        return x;
    double r = any();
    __vergo_assume(1);
    return r;
}

double atan2(double y, double x)
{
    if (__builtin_isnan(x) || __builtin_isnan(y))
        return x + y;
    if (__vergo_concrete())
        return (double)__vergo_atan2(y, x);
    double r = any();
    __vergo_assume(r >= -(double)3.1416 && r <= (double)3.1416 && (y > 0 ? r >= 0 : y < 0 ? r <= 0 : 1));
    return r;
}

double hypot(double x, double y)
{
    if (__builtin_isinf(x) || __builtin_isinf(y))
        return (double)__builtin_inf();
    if (__builtin_isnan(x) || __builtin_isnan(y))
        return x + y;
    if (x < 0)
        x = -x;
    if (y < 0)
        y = -y;
    if (x == 0 || y == 0)
        return x + y;
    if (__vergo_concrete())
        return (double)__vergo_sqrt((long double)x * x + (long double)y * y);
    double r = any();
    __vergo_assume(r >= (x > y ? x : y));
    return r;
}

double pow(double x, double y)
{
    if (y == 0 || x == 1)
        return 1;
    if (__builtin_isnan(x) || __builtin_isnan(y))
        return x + y;
    if (y == 1)
        return x;
    /* Small whole powers of small whole numbers are exact. */
    if (y > 0 && y <= 64 && y == (int)y && x >= -1000000 && x <= 1000000 && x == (int)x) {
        double r = 1;
        int exact = 1;
        for (int i = 0; i < (int)y; i++) {
            r *= x;
            if (r >= (double)9007199254740992.0 || r <= -(double)9007199254740992.0) {
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
        return (double)__vergo_pow(x, y);
    double r = any();
    if (x > 0)
        __vergo_assume(r >= 0 && ((x > 1) == (y > 0) ? r >= 1 : r <= 1));
    return r;
}
