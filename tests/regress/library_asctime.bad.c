//@ check --property user.assert --engine bmc-incremental
//@ verdict false
#include <assert.h>
#include <time.h>
int main(void)
{
    struct tm at = { .tm_year = 100, .tm_mon = 1, .tm_mday = 3 };
    assert(asctime(&at)[0] == 'M');
    return 0;
}
