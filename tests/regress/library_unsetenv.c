//@ check --property user.assert
//@ verdict true
/* A variable that was removed is gone; another one need not be. */
#include <assert.h>
#include <stdlib.h>
int main(void)
{
    if (unsetenv("A") == 0)
        assert(getenv("A") == 0);
    return 0;
}
