//@ check --property user.assert --engine bmc-incremental
//@ verdict false
#include <assert.h>
#include <string.h>
int main(void)
{
    assert(strlen(strerror(2)) < 8);
    return 0;
}
