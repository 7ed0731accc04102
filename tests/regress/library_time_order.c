//@ check --property user.assert --engine bmc-incremental
//@ verdict true
#include <assert.h>
#include <time.h>
int main(void)
{
    time_t a = time(0), b = time(0);
    assert(a == -1 || b == -1 || a <= b);
    return 0;
}
