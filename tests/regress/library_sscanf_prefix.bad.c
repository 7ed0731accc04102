//@ check --property user.assert
//@ verdict false(user.assert)
/* A prefix alone is a number to some libraries and none to others. */
#include <assert.h>
#include <stdio.h>
int main(void)
{
    int number = 1;
    assert(sscanf("0x", "%i", &number) == 0);
    return 0;
}
