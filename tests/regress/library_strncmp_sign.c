//@ check --property user.assert --engine bmc-incremental
//@ verdict true
#include <assert.h>
#include <string.h>
int main(void)
{
    assert(strncmp("ab", "ac", 2) < 0);
    assert(strncmp("ab", "ac", 2) == strncmp("ab", "ac", 2));
    return 0;
}
