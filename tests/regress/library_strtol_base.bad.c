//@ check --property user.assert
//@ verdict false(user.assert)
/* A base that is none is an error, and the number is zero. */
#include <assert.h>
#include <stdlib.h>
int main(void)
{
    assert(strtol("12", 0, 99) == 9 * 11 + 3 || strtol("12", 0, 36) == 12);
    return 0;
}
