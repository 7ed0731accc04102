//@ test check --engine bmc-incremental --violations first --property memory.double-free
#include <stdlib.h>

int main(void) {
    int *p = malloc(8), *other = malloc(8);
    free(other);
    free(p);
    p = realloc(p, 16);
    return p == 0;
}
