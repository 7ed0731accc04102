//@ test check --engine bmc-incremental --violations first --property user.assert
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int scale(int x) {
    return 3 * x;
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x < 0 || x > 5) {
        return 0;
    }
    int y = x > 3 ? scale(x) : x;
    assert(y + 1 != 13 && y != scale(5));
    return 0;
}
