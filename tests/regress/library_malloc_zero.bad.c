//@ check --property user.assert --engine bmc-incremental
//@ verdict false
#include <assert.h>
#include <stdlib.h>
int main(void)
{
    void *p = malloc(0);
    assert(p != 0);
    free(p);
    return 0;
}
