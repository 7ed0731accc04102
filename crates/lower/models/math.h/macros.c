/* The macros of classification (C17 7.12.3), where a program declares them as functions. */

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
