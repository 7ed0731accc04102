//@ check --property user.assert --engine bmc-incremental
//@ verdict true
#include <assert.h>
#include <stdlib.h>
int main(void)
{
    void *p = malloc(1), *q = malloc(0);
    assert(p != 0 && p != q);
    free(p);
    free(q);
    return 0;
}
