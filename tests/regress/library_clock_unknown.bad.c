//@ check --property user.assert --engine bmc-incremental
//@ verdict false
#include <assert.h>
#include <time.h>
int main(void)
{
    struct timespec t;
    assert(clock_gettime(1000, &t) == 0);
    return 0;
}
