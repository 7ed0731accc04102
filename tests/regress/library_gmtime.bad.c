//@ check --property user.assert --engine bmc-incremental
//@ verdict false
#include <assert.h>
#include <time.h>
int main(void)
{
    time_t t = 0;
    struct tm *at = gmtime(&t);
    assert(at->tm_mday == 2);
    return 0;
}
