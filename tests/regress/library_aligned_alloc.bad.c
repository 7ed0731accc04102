//@ check --property memory.bounds --engine bmc-incremental
//@ verdict false
#include <assert.h>
#include <stdlib.h>
int main(void)
{
    char *p = aligned_alloc(64, 64);
    p[64] = 0;
    free(p);
    return 0;
}
