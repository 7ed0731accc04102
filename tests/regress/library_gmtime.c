//@ check --property user.assert --engine bmc-incremental
//@ verdict true
#include <assert.h>
#include <time.h>
int main(void)
{
    time_t t = 951782400;
    struct tm *at = gmtime(&t);
    assert(at && at->tm_year == 100 && at->tm_mon == 1 && at->tm_mday == 29 && at->tm_wday == 2 && at->tm_yday == 59);
    return 0;
}
