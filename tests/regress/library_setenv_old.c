//@ check --property user.assert
//@ verdict true
/* What `getenv` gave need not be the same text after a change. */
#include <assert.h>
#include <stdlib.h>
int main(void)
{
    char *old = getenv("A");
    if (old != 0 && old[0] == 'x' && setenv("A", "y", 1) == 0)
        assert(getenv("A")[0] == 'y');
    return 0;
}
