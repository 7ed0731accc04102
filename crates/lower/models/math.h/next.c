/* The next number in a direction (C17 7.12.11.3), by the order of the bits. */

float nextafterf(float x, float y)
{
    union { float value; unsigned bits; } u;
    if (__builtin_isnan(x) || __builtin_isnan(y))
        return x + y;
    if (x == y)
        return y;
    if (x == 0) {
        u.bits = 1;
        return y > 0 ? u.value : -u.value;
    }
    u.value = x;
    if ((x < y) == (x > 0))
        u.bits++;
    else
        u.bits--;
    return u.value;
}

float nexttowardf(float x, long double y)
{
    if (__builtin_isnan(x) || __builtin_isnan(y))
        return (float)(x + y);
    if (x == y)
        return (float)y;
    return nextafterf(x, x < y ? (float)__builtin_inf() : -(float)__builtin_inf());
}

double nextafter(double x, double y)
{
    union { double value; unsigned long long bits; } u;
    if (__builtin_isnan(x) || __builtin_isnan(y))
        return x + y;
    if (x == y)
        return y;
    if (x == 0) {
        u.bits = 1;
        return y > 0 ? u.value : -u.value;
    }
    u.value = x;
    if ((x < y) == (x > 0))
        u.bits++;
    else
        u.bits--;
    return u.value;
}

double nexttoward(double x, long double y)
{
    if (__builtin_isnan(x) || __builtin_isnan(y))
        return (double)(x + y);
    if (x == y)
        return (double)y;
    return nextafter(x, x < y ? (double)__builtin_inf() : -(double)__builtin_inf());
}
