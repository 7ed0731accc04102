//@ check --property user.assert
//@ verdict false(user.assert)
/* A variable that was removed is gone; another one need not be. */
#include <assert.h>
#include <stdlib.h>
int main(void)
{
    if (unsetenv("A") == 0)
        assert(getenv("B") == 0);
    return 0;
}
