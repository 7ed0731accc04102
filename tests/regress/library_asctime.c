//@ check --property user.assert --engine bmc-incremental
//@ verdict true
#include <assert.h>
#include <time.h>
int main(void)
{
    struct tm at = { .tm_year = 100, .tm_mon = 1, .tm_mday = 3 };
    assert(asctime(&at)[0] == 'S' && asctime(&at)[9] == '3');
    return 0;
}
