//@ check --property user.assert
//@ verdict false(user.assert)
#include <assert.h>
#include <string.h>
#define NAN __builtin_nanf("")
typedef unsigned long long word;
static double a = -NAN, b = 0.0 / 0.0, c = __builtin_nan("1"), d = -(0.0 / 0.0), e = -0.0 / 0.0,
              f = (float)-__builtin_nan("0x20000000"), g = 1.0 - -__builtin_nan("7"), h = __builtin_nans(""), i[2] = {[0 ... 1] = -NAN};
static float k = -NAN, l = __builtin_nan("0x20000000");
static word bits(const void *from)
{
    word n;
    memcpy(&n, from, sizeof n);
    return n;
}
static unsigned single(const void *from)
{
    unsigned n;
    memcpy(&n, from, sizeof n);
    return n;
}
int main(void)
{
    assert(bits(&a) == 0x7ff8000000000000);
    return 0;
}
