//@ check --property user.assert --engine bmc-incremental
//@ verdict false
#include <assert.h>
#include <time.h>
#include <string.h>
int main(void)
{
    struct tm at = { .tm_year = 100, .tm_mon = 1, .tm_mday = 3 };
    char b[10];
    assert(strftime(b, sizeof b, "%Y-%m-%d", &at) == 10);
    return 0;
}
