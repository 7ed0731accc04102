/* Products and quotients of complex numbers (C17 G.5.1), under the names that gcc gives them. */

_Complex float __mulsc3(float a, float b, float c, float d)
{
    float ac = a * c, bd = b * d, ad = a * d, bc = b * c;
    float x = ac - bd, y = ad + bc;
    if (x != x && y != y) {
        int recalc = 0;
        if (__builtin_isinf(a) || __builtin_isinf(b)) {
            a = __builtin_copysignf(__builtin_isinf(a) ? 1 : 0, a);
            b = __builtin_copysignf(__builtin_isinf(b) ? 1 : 0, b);
            if (c != c)
                c = __builtin_copysignf(0, c);
            if (d != d)
                d = __builtin_copysignf(0, d);
            recalc = 1;
        }
        if (__builtin_isinf(c) || __builtin_isinf(d)) {
            c = __builtin_copysignf(__builtin_isinf(c) ? 1 : 0, c);
            d = __builtin_copysignf(__builtin_isinf(d) ? 1 : 0, d);
            if (a != a)
                a = __builtin_copysignf(0, a);
            if (b != b)
                b = __builtin_copysignf(0, b);
            recalc = 1;
        }
        if (!recalc && (__builtin_isinf(ac) || __builtin_isinf(bd) || __builtin_isinf(ad) || __builtin_isinf(bc))) {
            if (a != a)
                a = __builtin_copysignf(0, a);
            if (b != b)
                b = __builtin_copysignf(0, b);
            if (c != c)
                c = __builtin_copysignf(0, c);
            if (d != d)
                d = __builtin_copysignf(0, d);
            recalc = 1;
        }
        if (recalc) {
            x = (float)__builtin_inf() * (a * c - b * d);
            y = (float)__builtin_inf() * (a * d + b * c);
        }
    }
    _Complex float r;
    __real__ r = x;
    __imag__ r = y;
    return r;
}

_Complex float __divsc3(float a, float b, float c, float d)
{
    float x, y;
    double aa = a, bb = b, cc = c, dd = d;
    double denominator = cc * cc + dd * dd;
    x = (float)((aa * cc + bb * dd) / denominator);
    y = (float)((bb * cc - aa * dd) / denominator);
    if (x != x && y != y) {
        float infinity = (float)__builtin_inf();
        if (c == 0 && d == 0 && (a == a || b == b)) {
            x = __builtin_copysignf(infinity, c) * a;
            y = __builtin_copysignf(infinity, c) * b;
        } else if ((__builtin_isinf(a) || __builtin_isinf(b)) && __builtin_isfinite(c) && __builtin_isfinite(d)) {
            a = __builtin_copysignf(__builtin_isinf(a) ? 1 : 0, a);
            b = __builtin_copysignf(__builtin_isinf(b) ? 1 : 0, b);
            x = infinity * (a * c + b * d);
            y = infinity * (b * c - a * d);
        } else if ((__builtin_isinf(c) || __builtin_isinf(d)) && __builtin_isfinite(a) && __builtin_isfinite(b)) {
            c = __builtin_copysignf(__builtin_isinf(c) ? 1 : 0, c);
            d = __builtin_copysignf(__builtin_isinf(d) ? 1 : 0, d);
            x = 0 * (a * c + b * d);
            y = 0 * (b * c - a * d);
        }
    }
    _Complex float r;
    __real__ r = x;
    __imag__ r = y;
    return r;
}

_Complex double __muldc3(double a, double b, double c, double d)
{
    double ac = a * c, bd = b * d, ad = a * d, bc = b * c;
    double x = ac - bd, y = ad + bc;
    if (x != x && y != y) {
        int recalc = 0;
        if (__builtin_isinf(a) || __builtin_isinf(b)) {
            a = __builtin_copysign(__builtin_isinf(a) ? 1 : 0, a);
            b = __builtin_copysign(__builtin_isinf(b) ? 1 : 0, b);
            if (c != c)
                c = __builtin_copysign(0, c);
            if (d != d)
                d = __builtin_copysign(0, d);
            recalc = 1;
        }
        if (__builtin_isinf(c) || __builtin_isinf(d)) {
            c = __builtin_copysign(__builtin_isinf(c) ? 1 : 0, c);
            d = __builtin_copysign(__builtin_isinf(d) ? 1 : 0, d);
            if (a != a)
                a = __builtin_copysign(0, a);
            if (b != b)
                b = __builtin_copysign(0, b);
            recalc = 1;
        }
        if (!recalc && (__builtin_isinf(ac) || __builtin_isinf(bd) || __builtin_isinf(ad) || __builtin_isinf(bc))) {
            if (a != a)
                a = __builtin_copysign(0, a);
            if (b != b)
                b = __builtin_copysign(0, b);
            if (c != c)
                c = __builtin_copysign(0, c);
            if (d != d)
                d = __builtin_copysign(0, d);
            recalc = 1;
        }
        if (recalc) {
            x = (double)__builtin_inf() * (a * c - b * d);
            y = (double)__builtin_inf() * (a * d + b * c);
        }
    }
    _Complex double r;
    __real__ r = x;
    __imag__ r = y;
    return r;
}

_Complex double __divdc3(double a, double b, double c, double d)
{
    double x, y;
    if ((c < 0 ? -c : c) < (d < 0 ? -d : d)) {
        double ratio = c / d, denominator = c * ratio + d;
        x = (a * ratio + b) / denominator;
        y = (b * ratio - a) / denominator;
    } else {
        double ratio = d / c, denominator = d * ratio + c;
        x = (b * ratio + a) / denominator;
        y = (b - a * ratio) / denominator;
    }
    if (x != x && y != y) {
        double infinity = (double)__builtin_inf();
        if (c == 0 && d == 0 && (a == a || b == b)) {
            x = __builtin_copysign(infinity, c) * a;
            y = __builtin_copysign(infinity, c) * b;
        } else if ((__builtin_isinf(a) || __builtin_isinf(b)) && __builtin_isfinite(c) && __builtin_isfinite(d)) {
            a = __builtin_copysign(__builtin_isinf(a) ? 1 : 0, a);
            b = __builtin_copysign(__builtin_isinf(b) ? 1 : 0, b);
            x = infinity * (a * c + b * d);
            y = infinity * (b * c - a * d);
        } else if ((__builtin_isinf(c) || __builtin_isinf(d)) && __builtin_isfinite(a) && __builtin_isfinite(b)) {
            c = __builtin_copysign(__builtin_isinf(c) ? 1 : 0, c);
            d = __builtin_copysign(__builtin_isinf(d) ? 1 : 0, d);
            x = 0 * (a * c + b * d);
            y = 0 * (b * c - a * d);
        }
    }
    _Complex double r;
    __real__ r = x;
    __imag__ r = y;
    return r;
}

_Complex long double __mulxc3(long double a, long double b, long double c, long double d)
{
    long double ac = a * c, bd = b * d, ad = a * d, bc = b * c;
    long double x = ac - bd, y = ad + bc;
    if (x != x && y != y) {
        int recalc = 0;
        if (__builtin_isinf(a) || __builtin_isinf(b)) {
            a = __builtin_copysignl(__builtin_isinf(a) ? 1 : 0, a);
            b = __builtin_copysignl(__builtin_isinf(b) ? 1 : 0, b);
            if (c != c)
                c = __builtin_copysignl(0, c);
            if (d != d)
                d = __builtin_copysignl(0, d);
            recalc = 1;
        }
        if (__builtin_isinf(c) || __builtin_isinf(d)) {
            c = __builtin_copysignl(__builtin_isinf(c) ? 1 : 0, c);
            d = __builtin_copysignl(__builtin_isinf(d) ? 1 : 0, d);
            if (a != a)
                a = __builtin_copysignl(0, a);
            if (b != b)
                b = __builtin_copysignl(0, b);
            recalc = 1;
        }
        if (!recalc && (__builtin_isinf(ac) || __builtin_isinf(bd) || __builtin_isinf(ad) || __builtin_isinf(bc))) {
            if (a != a)
                a = __builtin_copysignl(0, a);
            if (b != b)
                b = __builtin_copysignl(0, b);
            if (c != c)
                c = __builtin_copysignl(0, c);
            if (d != d)
                d = __builtin_copysignl(0, d);
            recalc = 1;
        }
        if (recalc) {
            x = (long double)__builtin_inf() * (a * c - b * d);
            y = (long double)__builtin_inf() * (a * d + b * c);
        }
    }
    _Complex long double r;
    __real__ r = x;
    __imag__ r = y;
    return r;
}

_Complex long double __divxc3(long double a, long double b, long double c, long double d)
{
    long double x, y;
    if ((c < 0 ? -c : c) < (d < 0 ? -d : d)) {
        long double ratio = c / d, denominator = c * ratio + d;
        x = (a * ratio + b) / denominator;
        y = (b * ratio - a) / denominator;
    } else {
        long double ratio = d / c, denominator = d * ratio + c;
        x = (b * ratio + a) / denominator;
        y = (b - a * ratio) / denominator;
    }
    if (x != x && y != y) {
        long double infinity = (long double)__builtin_inf();
        if (c == 0 && d == 0 && (a == a || b == b)) {
            x = __builtin_copysignl(infinity, c) * a;
            y = __builtin_copysignl(infinity, c) * b;
        } else if ((__builtin_isinf(a) || __builtin_isinf(b)) && __builtin_isfinite(c) && __builtin_isfinite(d)) {
            a = __builtin_copysignl(__builtin_isinf(a) ? 1 : 0, a);
            b = __builtin_copysignl(__builtin_isinf(b) ? 1 : 0, b);
            x = infinity * (a * c + b * d);
            y = infinity * (b * c - a * d);
        } else if ((__builtin_isinf(c) || __builtin_isinf(d)) && __builtin_isfinite(a) && __builtin_isfinite(b)) {
            c = __builtin_copysignl(__builtin_isinf(c) ? 1 : 0, c);
            d = __builtin_copysignl(__builtin_isinf(d) ? 1 : 0, d);
            x = 0 * (a * c + b * d);
            y = 0 * (b * c - a * d);
        }
    }
    _Complex long double r;
    __real__ r = x;
    __imag__ r = y;
    return r;
}

_Complex __float128 __multc3(__float128 a, __float128 b, __float128 c, __float128 d)
{
    __float128 ac = a * c, bd = b * d, ad = a * d, bc = b * c;
    __float128 x = ac - bd, y = ad + bc;
    if (x != x && y != y) {
        int recalc = 0;
        if (__builtin_isinf(a) || __builtin_isinf(b)) {
            a = __builtin_copysignl(__builtin_isinf(a) ? 1 : 0, a);
            b = __builtin_copysignl(__builtin_isinf(b) ? 1 : 0, b);
            if (c != c)
                c = __builtin_copysignl(0, c);
            if (d != d)
                d = __builtin_copysignl(0, d);
            recalc = 1;
        }
        if (__builtin_isinf(c) || __builtin_isinf(d)) {
            c = __builtin_copysignl(__builtin_isinf(c) ? 1 : 0, c);
            d = __builtin_copysignl(__builtin_isinf(d) ? 1 : 0, d);
            if (a != a)
                a = __builtin_copysignl(0, a);
            if (b != b)
                b = __builtin_copysignl(0, b);
            recalc = 1;
        }
        if (!recalc && (__builtin_isinf(ac) || __builtin_isinf(bd) || __builtin_isinf(ad) || __builtin_isinf(bc))) {
            if (a != a)
                a = __builtin_copysignl(0, a);
            if (b != b)
                b = __builtin_copysignl(0, b);
            if (c != c)
                c = __builtin_copysignl(0, c);
            if (d != d)
                d = __builtin_copysignl(0, d);
            recalc = 1;
        }
        if (recalc) {
            x = (__float128)__builtin_inf() * (a * c - b * d);
            y = (__float128)__builtin_inf() * (a * d + b * c);
        }
    }
    _Complex __float128 r;
    __real__ r = x;
    __imag__ r = y;
    return r;
}

_Complex __float128 __divtc3(__float128 a, __float128 b, __float128 c, __float128 d)
{
    __float128 x, y;
    if ((c < 0 ? -c : c) < (d < 0 ? -d : d)) {
        __float128 ratio = c / d, denominator = c * ratio + d;
        x = (a * ratio + b) / denominator;
        y = (b * ratio - a) / denominator;
    } else {
        __float128 ratio = d / c, denominator = d * ratio + c;
        x = (b * ratio + a) / denominator;
        y = (b - a * ratio) / denominator;
    }
    if (x != x && y != y) {
        __float128 infinity = (__float128)__builtin_inf();
        if (c == 0 && d == 0 && (a == a || b == b)) {
            x = __builtin_copysignl(infinity, c) * a;
            y = __builtin_copysignl(infinity, c) * b;
        } else if ((__builtin_isinf(a) || __builtin_isinf(b)) && __builtin_isfinite(c) && __builtin_isfinite(d)) {
            a = __builtin_copysignl(__builtin_isinf(a) ? 1 : 0, a);
            b = __builtin_copysignl(__builtin_isinf(b) ? 1 : 0, b);
            x = infinity * (a * c + b * d);
            y = infinity * (b * c - a * d);
        } else if ((__builtin_isinf(c) || __builtin_isinf(d)) && __builtin_isfinite(a) && __builtin_isfinite(b)) {
            c = __builtin_copysignl(__builtin_isinf(c) ? 1 : 0, c);
            d = __builtin_copysignl(__builtin_isinf(d) ? 1 : 0, d);
            x = 0 * (a * c + b * d);
            y = 0 * (b * c - a * d);
        }
    }
    _Complex __float128 r;
    __real__ r = x;
    __imag__ r = y;
    return r;
}
