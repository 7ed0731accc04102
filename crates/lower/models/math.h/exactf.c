/* Operations whose result IEEE 754 fixes (C17 7.12, F.10), at type `float`. */

extern float __vergo_fabs(float);
extern float __vergo_sqrt(float);
extern float __vergo_floor(float);
extern float __vergo_ceil(float);
extern float __vergo_trunc(float);
extern float __vergo_rint(float);
extern float __vergo_round(float);
extern float __vergo_fmod(float, float);
extern float __vergo_remainder(float, float);
extern float __vergo_fmin(float, float);
extern float __vergo_fmax(float, float);
extern float __vergo_fma(float, float, float);

float fabsf(float x)
{
    return __vergo_fabs(x);
}

float floorf(float x)
{
    return __vergo_floor(x);
}

float ceilf(float x)
{
    return __vergo_ceil(x);
}

float truncf(float x)
{
    return __vergo_trunc(x);
}

float rintf(float x)
{
    return __vergo_rint(x);
}

float roundf(float x)
{
    return __vergo_round(x);
}

float sqrtf(float x)
{
    if (x < 0)
        *__errno_location() = 33;
    return __vergo_sqrt(x);
}

float nearbyintf(float x)
{
    return __vergo_rint(x);
}

float roundevenf(float x)
{
    return __vergo_rint(x);
}

float fmodf(float x, float y)
{
    return __vergo_fmod(x, y);
}

float remainderf(float x, float y)
{
    return __vergo_remainder(x, y);
}

float fminf(float x, float y)
{
    return __vergo_fmin(x, y);
}

float fmaxf(float x, float y)
{
    return __vergo_fmax(x, y);
}

float dremf(float x, float y)
{
    return __vergo_remainder(x, y);
}

float fmaf(float x, float y, float z)
{
    return __vergo_fma(x, y, z);
}

float copysignf(float x, float y)
{
    float a = __vergo_fabs(x);
    return __builtin_signbit(y) ? -a : a;
}

float fdimf(float x, float y)
{
    if (__builtin_isnan(x) || __builtin_isnan(y))
        return x + y;
    return x > y ? x - y : 0;
}

long lrintf(float x)
{
    return (long)__vergo_rint(x);
}

long long llrintf(float x)
{
    return (long long)__vergo_rint(x);
}

long lroundf(float x)
{
    return (long)__vergo_round(x);
}

long long llroundf(float x)
{
    return (long long)__vergo_round(x);
}

float modff(float x, float *whole)
{
    float w = __vergo_trunc(x);
    *whole = w;
    if (__builtin_isinf(x))
        return __builtin_signbit(x) ? -(float)0 : (float)0;
    float part = x - w;
    return part == 0 && __builtin_signbit(x) ? -(float)0 : part;
}

float nanf(const char *tag)
{
    (void)tag;
    return (float)__builtin_nan("");
}
