/* Functions whose last digits no standard fixes, at type `float`: any value of the range that the function has. In a
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

static float any(void)
{
    float r = __VERIFIER_nondet_float();
    __vergo_assume(!__builtin_isnan(r));
    return r;
}

static float not_a_number(void)
{
    *__errno_location() = 33;
    return (float)__builtin_nan("");
}

float sinf(float x)
{
    if (__builtin_isnan(x))
        return x;
    if (__builtin_isinf(x))
        return not_a_number();
    if (x == 0)
        return x;
    if (__vergo_concrete())
        return (float)(__vergo_sin(x));
    float r = any();
    __vergo_assume(r >= -1 && r <= 1);
    return r;
}

float cosf(float x)
{
    if (__builtin_isnan(x))
        return x;
    if (__builtin_isinf(x))
        return not_a_number();
    if (x == 0)
        return 1;
    if (__vergo_concrete())
        return (float)(__vergo_cos(x));
    float r = any();
    __vergo_assume(r >= -1 && r <= 1);
    return r;
}

float tanf(float x)
{
    if (__builtin_isnan(x))
        return x;
    if (__builtin_isinf(x))
        return not_a_number();
    if (x == 0)
        return x;
    if (__vergo_concrete())
        return (float)(__vergo_sin(x) / __vergo_cos(x));
    float r = any();
    __vergo_assume(!__builtin_isinf(r));
    return r;
}

float asinf(float x)
{
    if (__builtin_isnan(x))
        return x;
    if (x < -1 || x > 1)
        return not_a_number();
    if (x == 0)
        return x;
    if (__vergo_concrete())
        return (float)(__vergo_atan2(x, __vergo_sqrt((1 - (long double)x) * (1 + (long double)x))));
    float r = any();
    __vergo_assume(r >= -(float)1.5708 && r <= (float)1.5708);
    return r;
}

float acosf(float x)
{
    if (__builtin_isnan(x))
        return x;
    if (x < -1 || x > 1)
        return not_a_number();
    if (__vergo_concrete())
        return (float)(2 * __vergo_atan2(__vergo_sqrt(1 - (long double)x), __vergo_sqrt(1 + (long double)x)));
    float r = any();
    __vergo_assume(r >= 0 && r <= (float)3.1416);
    return r;
}

float atanf(float x)
{
    if (__builtin_isnan(x))
        return x;
    if (x == 0)
        return x;
    if (__vergo_concrete())
        return (float)(__vergo_atan(x));
    float r = any();
    __vergo_assume(r >= -(float)1.5708 && r <= (float)1.5708 && (x > 0) == (r > 0));
    return r;
}

float sinhf(float x)
{
    if (__builtin_isnan(x))
        return x;
    if (x == 0)
        return x;
    if (__vergo_concrete())
        return (float)((__vergo_expm1(x) - __vergo_expm1(-x)) / 2);
    float r = any();
    __vergo_assume((x > 0) == (r > 0) && (x > 0 ? r >= x / 2 : r <= x / 2));
    return r;
}

float coshf(float x)
{
    if (__builtin_isnan(x))
        return x;
    if (x == 0)
        return 1;
    if (__vergo_concrete())
        return (float)((__vergo_exp(x) + __vergo_exp(-x)) / 2);
    float r = any();
    __vergo_assume(r >= 1);
    return r;
}

float tanhf(float x)
{
    if (__builtin_isnan(x))
        return x;
    if (x == 0)
        return x;
    if (__vergo_concrete())
        return (float)(x > 40 ? 1 : x < -40 ? -1 : __vergo_expm1(2 * (long double)x) / (__vergo_expm1(2 * (long double)x) + 2));
    float r = any();
    __vergo_assume(r >= -1 && r <= 1 && (x > 0) == (r > 0));
    return r;
}

float asinhf(float x)
{
    if (__builtin_isnan(x))
        return x;
    if (x == 0)
        return x;
    if (__vergo_concrete())
        return (float)(x < 0 ? -__vergo_log(-x + __vergo_sqrt((long double)x * x + 1)) : __vergo_log(x + __vergo_sqrt((long double)x * x + 1)));
    float r = any();
    __vergo_assume((x > 0) == (r > 0));
    return r;
}

float acoshf(float x)
{
    if (__builtin_isnan(x))
        return x;
    if (x < 1)
        return not_a_number();
    if (__vergo_concrete())
        return (float)(__vergo_log(x + __vergo_sqrt((long double)x * x - 1)));
    float r = any();
    __vergo_assume(r >= 0);
    return r;
}

float atanhf(float x)
{
    if (__builtin_isnan(x))
        return x;
    if (x < -1 || x > 1)
        return not_a_number();
    if (x == 0)
        return x;
    if (__vergo_concrete())
        return (float)((__vergo_log1p(x) - __vergo_log1p(-x)) / 2);
    float r = any();
    __vergo_assume((x > 0) == (r > 0));
    return r;
}

float expf(float x)
{
    if (__builtin_isnan(x))
        return x;
    if (x == 0)
        return 1;
    if (__builtin_isinf(x))
        return x > 0 ? x : 0;
    if (__vergo_concrete())
        return (float)(__vergo_exp(x));
    float r = any();
    __vergo_assume(r >= 0 && (x > 0 ? r >= 1 : r <= 1));
    return r;
}

float exp2f(float x)
{
    if (__builtin_isnan(x))
        return x;
    if (x == 0)
        return 1;
    if (__builtin_isinf(x))
        return x > 0 ? x : 0;
    if (__vergo_concrete())
        return (float)(__vergo_pow(2, x));
    float r = any();
    __vergo_assume(r >= 0 && (x > 0 ? r >= 1 : r <= 1));
    return r;
}

float exp10f(float x)
{
    if (__builtin_isnan(x))
        return x;
    if (x == 0)
        return 1;
    if (__builtin_isinf(x))
        return x > 0 ? x : 0;
    if (__vergo_concrete())
        return (float)(__vergo_pow(10, x));
    float r = any();
    __vergo_assume(r >= 0 && (x > 0 ? r >= 1 : r <= 1));
    return r;
}

float expm1f(float x)
{
    if (__builtin_isnan(x))
        return x;
    if (x == 0)
        return x;
    if (__vergo_concrete())
        return (float)(__vergo_expm1(x));
    float r = any();
    __vergo_assume(r >= -1 && (x > 0) == (r > 0 || r == 0 && x > 0));
    return r;
}

float logf(float x)
{
    if (__builtin_isnan(x))
        return x;
    if (x < 0)
        return not_a_number();
    if (x == 0) {
        *__errno_location() = 34;
        return -(float)__builtin_inf();
    }
    if (x == 1)
        return 0;
    if (__builtin_isinf(x))
        return x;
    if (__vergo_concrete())
        return (float)(__vergo_log(x));
    float r = any();
    __vergo_assume(!__builtin_isinf(r) && (x > 1 ? r >= 0 : r <= 0));
    return r;
}

float log2f(float x)
{
    if (__builtin_isnan(x))
        return x;
    if (x < 0)
        return not_a_number();
    if (x == 0) {
        *__errno_location() = 34;
        return -(float)__builtin_inf();
    }
    if (x == 1)
        return 0;
    if (__builtin_isinf(x))
        return x;
    if (__vergo_concrete())
        return (float)(__vergo_log(x) / 0xb.17217f7d1cf79abp-4L);
    float r = any();
    __vergo_assume(!__builtin_isinf(r) && (x > 1 ? r >= 0 : r <= 0));
    return r;
}

float log10f(float x)
{
    if (__builtin_isnan(x))
        return x;
    if (x < 0)
        return not_a_number();
    if (x == 0) {
        *__errno_location() = 34;
        return -(float)__builtin_inf();
    }
    if (x == 1)
        return 0;
    if (__builtin_isinf(x))
        return x;
    if (__vergo_concrete())
        return (float)(__vergo_log(x) / 0x9.35d8dddaaa8ac17p-2L);
    float r = any();
    __vergo_assume(!__builtin_isinf(r) && (x > 1 ? r >= 0 : r <= 0));
    return r;
}

float log1pf(float x)
{
    if (__builtin_isnan(x))
        return x;
    if (x < -1)
        return not_a_number();
    if (x == -1)
        return -(float)__builtin_inf();
    if (x == 0)
        return x;
    if (__vergo_concrete())
        return (float)(__vergo_log1p(x));
    float r = any();
    __vergo_assume(x > 0 ? r >= 0 : r <= 0);
    return r;
}

float cbrtf(float x)
{
    if (__builtin_isnan(x))
        return x;
    if (x == 0)
        return x;
    if (__builtin_isinf(x))
        return x;
    if (__vergo_concrete())
        return (float)(__vergo_cbrt(x));
    float r = any();
    __vergo_assume(!__builtin_isinf(r) && (x > 0 ? r > 0 : r < 0));
    return r;
}

float erff(float x)
{
    if (__builtin_isnan(x))
        return x;
    if (x == 0)
        return x;
    float r = any();
    __vergo_assume(r >= -1 && r <= 1 && (x > 0 ? r >= 0 : r <= 0));
    return r;
}

float erfcf(float x)
{
    if (__builtin_isnan(x))
        return x;
    float r = any();
    __vergo_assume(r >= 0 && r <= 2);
    return r;
}

float tgammaf(float x)
{
    if (__builtin_isnan(x))
        return x;
    if (x < 0 && __builtin_isinf(x))
        return not_a_number();
    float r = any();
    __vergo_assume(1);
    return r;
}

float lgammaf(float x)
{
    if (__builtin_isnan(x))
        return x;
    float r = any();
    __vergo_assume(1);
    return r;
}

float atan2f(float y, float x)
{
    if (__builtin_isnan(x) || __builtin_isnan(y))
        return x + y;
    if (__vergo_concrete())
        return (float)__vergo_atan2(y, x);
    float r = any();
    __vergo_assume(r >= -(float)3.1416 && r <= (float)3.1416 && (y > 0 ? r >= 0 : y < 0 ? r <= 0 : 1));
    return r;
}

float hypotf(float x, float y)
{
    if (__builtin_isinf(x) || __builtin_isinf(y))
        return (float)__builtin_inf();
    if (__builtin_isnan(x) || __builtin_isnan(y))
        return x + y;
    if (x < 0)
        x = -x;
    if (y < 0)
        y = -y;
    if (x == 0 || y == 0)
        return x + y;
    if (__vergo_concrete())
        return (float)__vergo_sqrt((long double)x * x + (long double)y * y);
    float r = any();
    __vergo_assume(r >= (x > y ? x : y));
    return r;
}

float powf(float x, float y)
{
    if (y == 0 || x == 1)
        return 1;
    if (__builtin_isnan(x) || __builtin_isnan(y))
        return x + y;
    if (y == 1)
        return x;
    /* Small whole powers of small whole numbers are exact. */
    if (y > 0 && y <= 64 && y == (int)y && x >= -1000000 && x <= 1000000 && x == (int)x) {
        float r = 1;
        int exact = 1;
        for (int i = 0; i < (int)y; i++) {
            r *= x;
            if (r >= (float)16777216.0 || r <= -(float)16777216.0) {
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
        return (float)__vergo_pow(x, y);
    float r = any();
    if (x > 0)
        __vergo_assume(r >= 0 && ((x > 1) == (y > 0) ? r >= 1 : r <= 1));
    return r;
}
