/* Products and quotients of complex numbers, with infinities recovered where NaNs hide them (C17 G.5.1). */

static REAL with_sign(REAL magnitude, REAL of)
{
    return __builtin_signbit(of) ? -magnitude : magnitude;
}

/* An infinity as one of its sign, anything else as zero. */
static REAL boxed(REAL x)
{
    return with_sign(__builtin_isinf(x) ? 1 : 0, x);
}

static REAL without_nan(REAL x)
{
    return x != x ? with_sign(0, x) : x;
}

static REAL magnitude(REAL x)
{
    return x < 0 ? -x : x;
}

static _Complex REAL pair(REAL x, REAL y)
{
    _Complex REAL r;
    __real__ r = x;
    __imag__ r = y;
    return r;
}

_Complex REAL __vergo_product_R(REAL a, REAL b, REAL c, REAL d)
{
    REAL ac = a * c, bd = b * d, ad = a * d, bc = b * c;
    REAL x = ac - bd, y = ad + bc;
    if (x == x || y == y)
        return pair(x, y);
    int infinite = 0;
    if (__builtin_isinf(a) || __builtin_isinf(b)) {
        a = boxed(a);
        b = boxed(b);
        c = without_nan(c);
        d = without_nan(d);
        infinite = 1;
    }
    if (__builtin_isinf(c) || __builtin_isinf(d)) {
        c = boxed(c);
        d = boxed(d);
        a = without_nan(a);
        b = without_nan(b);
        infinite = 1;
    }
    if (!infinite && (__builtin_isinf(ac) || __builtin_isinf(bd) || __builtin_isinf(ad) || __builtin_isinf(bc))) {
        a = without_nan(a);
        b = without_nan(b);
        c = without_nan(c);
        d = without_nan(d);
        infinite = 1;
    }
    if (!infinite)
        return pair(x, y);
    REAL infinity = (REAL)__builtin_inf();
    return pair(infinity * (a * c - b * d), infinity * (a * d + b * c));
}

/* By what all parts are multiplied so that fewer intermediate results overflow or lose digits, where `divisor` is the larger
   part of the divisor: after Baudin and Smith, "A robust complex division in Scilab" (2012), with the bounds of libgcc. */
static REAL scale(REAL a, REAL b, REAL divisor)
{
    REAL large = REAL_MAX / 2 * REAL_EPSILON;
    if (magnitude(divisor) >= REAL_MAX / 2)
        return (REAL)0.5;
    if (magnitude(divisor) < REAL_EPSILON)
        return 1 / REAL_EPSILON;
    if (magnitude(divisor) < large
        && (magnitude(a) < REAL_MIN && magnitude(b) < large || magnitude(b) < REAL_MIN && magnitude(a) < large))
        return 1 / REAL_EPSILON;
    return 1;
}

/* The quotient by the method of Smith, where the part `c` of the divisor is not smaller than `d`. */
static _Complex REAL divide(REAL a, REAL b, REAL c, REAL d)
{
    REAL ratio = d / c, denominator = d * ratio + c;
    if (magnitude(ratio) > REAL_MIN)
        return pair((b * ratio + a) / denominator, (b - a * ratio) / denominator);
    /* A subnormal ratio has lost digits. */
    return pair((a + d * (b / c)) / denominator, (b - d * (a / c)) / denominator);
}

_Complex REAL __vergo_quotient_R(REAL a, REAL b, REAL c, REAL d)
{
    REAL x, y;
    if (REAL_MANT_DIG <= 24) {
        /* All intermediate results fit into a wider type. */
        double p = a, q = b, r = c, s = d, denominator = r * r + s * s;
        x = (REAL)((p * r + q * s) / denominator);
        y = (REAL)((q * r - p * s) / denominator);
    } else {
        int steep = magnitude(c) < magnitude(d);
        REAL factor = scale(a, b, steep ? d : c);
        a *= factor;
        b *= factor;
        c *= factor;
        d *= factor;
        /* (a + bi) / (c + di) = (b - ai) / (d - ci) */
        _Complex REAL z = steep ? divide(b, -a, d, -c) : divide(a, b, c, d);
        x = __real__ z;
        y = __imag__ z;
    }
    if (x == x || y == y)
        return pair(x, y);
    REAL infinity = (REAL)__builtin_inf();
    if (c == 0 && d == 0 && (a == a || b == b)) {
        x = with_sign(infinity, c) * a;
        y = with_sign(infinity, c) * b;
    } else if ((__builtin_isinf(a) || __builtin_isinf(b)) && __builtin_isfinite(c) && __builtin_isfinite(d)) {
        a = boxed(a);
        b = boxed(b);
        x = infinity * (a * c + b * d);
        y = infinity * (b * c - a * d);
    } else if ((__builtin_isinf(c) || __builtin_isinf(d)) && __builtin_isfinite(a) && __builtin_isfinite(b)) {
        c = boxed(c);
        d = boxed(d);
        x = 0 * (a * c + b * d);
        y = 0 * (b * c - a * d);
    }
    return pair(x, y);
}
