//@ check
//@ verdict false(user.assert)
#include <assert.h>
#include <stdio.h>
int main(void)
{
    assert(fdopen(5, "r") == 0);
    return 0;
}
