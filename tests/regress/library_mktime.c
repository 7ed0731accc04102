//@ check --property user.assert --engine bmc-incremental
//@ verdict true
#include <assert.h>
#include <time.h>
int main(void)
{
    struct tm at = { .tm_year = 100, .tm_mon = 13, .tm_mday = 1 };
    if (mktime(&at) != -1)
    assert(at.tm_year == 101 && at.tm_mon == 1);
    return 0;
}
