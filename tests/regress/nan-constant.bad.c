//@ check --property user.assert
//@ verdict false(user.assert)
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
    assert(bits(a) == 0x7ff8000000000000);
    return 0;
}
