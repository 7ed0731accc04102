//@ check --property user.assert --engine bmc-incremental
//@ verdict true
#include <assert.h>
#include <string.h>
int main(void)
{
    assert(memcmp("ab", "ac", 2) < 0 && memcmp("ab", "ac", 1) == 0);
    return 0;
}
