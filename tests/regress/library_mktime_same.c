//@ check --property user.assert
//@ verdict true
/* The same date is the same time, unless the zone is changed between. */
#include <assert.h>
#include <stdlib.h>
#include <time.h>
int main(void)
{
    struct tm one = { .tm_year = 100, .tm_mday = 1 }, other = one;
    assert(mktime(&one) == mktime(&other));
    return 0;
}
