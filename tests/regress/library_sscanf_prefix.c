//@ check --property user.assert
//@ verdict true
/* A prefix alone is a number to some libraries and none to others. */
#include <assert.h>
#include <stdio.h>
int main(void)
{
    int number = 1;
    assert(sscanf("0x1", "%i", &number) == 1 && number == 1);
    return 0;
}
