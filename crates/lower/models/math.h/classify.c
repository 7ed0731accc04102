/* Classification as functions (C17 7.12.3; glibc's internal names). */

int isnan(double x)
{
    return __builtin_isnan(x);
}

int __isnan(double x)
{
    return __builtin_isnan(x);
}

int isinf(double x)
{
    return __builtin_isinf_sign(x);
}

int __isinf(double x)
{
    return __builtin_isinf_sign(x);
}

int finite(double x)
{
    return __builtin_isfinite(x);
}

int __finite(double x)
{
    return __builtin_isfinite(x);
}

int __signbit(double x)
{
    return __builtin_signbit(x) ? 1 : 0;
}

int __fpclassify(double x)
{
    return __builtin_fpclassify(0, 1, 4, 3, 2, x);
}

int isnanf(float x)
{
    return __builtin_isnan(x);
}

int __isnanf(float x)
{
    return __builtin_isnan(x);
}

int isinff(float x)
{
    return __builtin_isinf_sign(x);
}

int __isinff(float x)
{
    return __builtin_isinf_sign(x);
}

int finitef(float x)
{
    return __builtin_isfinite(x);
}

int __finitef(float x)
{
    return __builtin_isfinite(x);
}

int __signbitf(float x)
{
    return __builtin_signbit(x) ? 1 : 0;
}

int __fpclassifyf(float x)
{
    return __builtin_fpclassify(0, 1, 4, 3, 2, x);
}

int isnanl(long double x)
{
    return __builtin_isnan(x);
}

int __isnanl(long double x)
{
    return __builtin_isnan(x);
}

int isinfl(long double x)
{
    return __builtin_isinf_sign(x);
}

int __isinfl(long double x)
{
    return __builtin_isinf_sign(x);
}

int finitel(long double x)
{
    return __builtin_isfinite(x);
}

int __finitel(long double x)
{
    return __builtin_isfinite(x);
}

int __signbitl(long double x)
{
    return __builtin_signbit(x) ? 1 : 0;
}

int __fpclassifyl(long double x)
{
    return __builtin_fpclassify(0, 1, 4, 3, 2, x);
}

int isfinite(double x)
{
    return __builtin_isfinite(x);
}

int isnormal(double x)
{
    return __builtin_isnormal(x);
}

int signbit(double x)
{
    return __builtin_signbit(x) ? 1 : 0;
}
