/* Classification as functions of each type, under glibc's names. */

int isnan_R(REAL x)
{
    return __builtin_isnan(x);
}

int __isnan_R(REAL x)
{
    return __builtin_isnan(x);
}

int isinf_R(REAL x)
{
    return __builtin_isinf_sign(x);
}

int __isinf_R(REAL x)
{
    return __builtin_isinf_sign(x);
}

int finite_R(REAL x)
{
    return __builtin_isfinite(x);
}

int __finite_R(REAL x)
{
    return __builtin_isfinite(x);
}

int __signbit_R(REAL x)
{
    return __builtin_signbit(x) ? 1 : 0;
}

int __fpclassify_R(REAL x)
{
    return __builtin_fpclassify(0, 1, 4, 3, 2, x);
}
