//@ check --property user.assert --engine bmc-incremental
//@ verdict false
#include <assert.h>
#include <string.h>
int main(void)
{
    assert(strncmp("ab", "ac", 2) == -1);
    return 0;
}
