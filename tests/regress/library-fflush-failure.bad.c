//@ check
//@ verdict false(user.assert)
#include <assert.h>
#include <stdio.h>
int main(void)
{
    assert(fflush(stdout) == 0);
    return 0;
}
