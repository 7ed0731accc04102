//@ check --property user.assert
//@ verdict true
/* NaN constants keep their sign and payload, as gcc folds them. */
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
    assert(bits(&a) == 0xfff8000000000000 && bits(&b) == 0x7ff8000000000000 && bits(&c) == 0x7ff8000000000001);
    assert(bits(&d) == 0xfff8000000000000 && bits(&e) == 0xfff8000000000000 && bits(&f) == 0xfff8000020000000);
    assert(bits(&g) == 0xfff8000000000007 && bits(&h) == 0x7ff4000000000000 && bits(&i[1]) == 0xfff8000000000000);
    assert(single(&k) == 0xffc00000 && single(&l) == 0x7fc00001);
    return 0;
}
