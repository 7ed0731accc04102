//@ check --property user.assert
//@ verdict true
/* NaN constants keep their sign and payload, as gcc folds them. */
#include <assert.h>
#define NAN __builtin_nanf("")
extern void abort(void);
typedef unsigned long long word;
static double a = -NAN, b = 0.0 / 0.0, c = __builtin_nan("1"), d = -(0.0 / 0.0), e = -0.0 / 0.0, f = (float)-__builtin_nan("0x20000000"),
              g = 1.0 - -__builtin_nan("7"), h = __builtin_nans(""), i[2] = {[0 ... 1] = -NAN};
static float k = -NAN, l = __builtin_nan("0x20000000");
static word bits(double x)
{
    union { double d; word n; } u = {x};
    return u.n;
}
static unsigned single(float x)
{
    union { float f; unsigned n; } u = {x};
    return u.n;
}
int main(void)
{
    assert(bits(a) == 0xfff8000000000000 && bits(b) == 0x7ff8000000000000 && bits(c) == 0x7ff8000000000001);
    assert(bits(d) == 0xfff8000000000000 && bits(e) == 0xfff8000000000000 && bits(f) == 0xfff8000020000000);
    assert(bits(g) == 0xfff8000000000007 && bits(i[1]) == 0xfff8000000000000);
    assert(single(k) == 0xffc00000 && single(l) == 0x7fc00001);
    double x = __builtin_nan("5");
    assert(bits(-x) == 0xfff8000000000005);
    return 0;
}
