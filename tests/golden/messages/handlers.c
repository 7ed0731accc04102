//@ test check --engine bmc-incremental --violations first --property user.assert
#include <assert.h>
#include <stdlib.h>

static int n_open = 1;

static void close_all(void) {
    assert(n_open == 0);
}

int main(void) {
    atexit(close_all);
    return 0;
}
