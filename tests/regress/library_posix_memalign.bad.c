//@ check --property user.assert --engine bmc-incremental
//@ verdict false
#include <assert.h>
#include <stdlib.h>
int main(void)
{
    void *p = 0;
    assert(posix_memalign(&p, 3, 8) == 0);
    return 0;
}
