//@ check --property user.assert --engine bmc-incremental
//@ verdict true
#include <assert.h>
#include <time.h>
int main(void)
{
    struct timespec t;
    assert(clock_gettime(CLOCK_REALTIME, &t) == 0);
    return 0;
}
