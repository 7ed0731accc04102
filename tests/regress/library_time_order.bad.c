//@ check --property user.assert --engine bmc-incremental
//@ verdict false
#include <assert.h>
#include <time.h>
int main(void)
{
    time_t a = time(0), b = time(0);
    assert(a == b);
    return 0;
}
