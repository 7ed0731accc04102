//@ check --property user.assert
//@ verdict false(user.assert)
/* A time of summer where there is none is moved. */
#include <assert.h>
#include <time.h>
int main(void)
{
    struct tm at = { .tm_year = 100, .tm_mday = 10, .tm_hour = 12, .tm_isdst = 1 };
    if (mktime(&at) != -1)
        assert(at.tm_hour == 12);
    return 0;
}
