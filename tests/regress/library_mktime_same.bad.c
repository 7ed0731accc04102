//@ check --property user.assert
//@ verdict unknown
/* The zone is changed between; the rules of zones that a program names are not looked up. */
#include <assert.h>
#include <stdlib.h>
#include <time.h>
int main(void)
{
    struct tm one = { .tm_year = 100, .tm_mday = 1 }, other = one;
    time_t first = mktime(&one);
    setenv("TZ", "CET", 1);
    assert(first == mktime(&other));
    return 0;
}
