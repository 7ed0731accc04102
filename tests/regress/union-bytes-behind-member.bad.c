//@ check
//@ verdict false(user.assert)
#include <assert.h>
union u { int i; char c; };
int main(void) {
    // Nothing is said of the bytes of `i` behind `c` (C17 6.2.6.1p7).
    union u x = { .c = 1 };
    assert(x.i == 1);
    return 0;
}
