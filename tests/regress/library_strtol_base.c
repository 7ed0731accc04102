//@ check --property user.assert
//@ verdict true
/* A base that is none is an error, and the number is zero. */
#include <assert.h>
#include <stdlib.h>
int main(void)
{
    assert(strtol("12", 0, 99) == 0 && strtoul("12", 0, 1) == 0 && strtoll("12", 0, -1) == 0);
    return 0;
}
