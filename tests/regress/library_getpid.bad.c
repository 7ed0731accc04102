//@ check --property user.assert --engine bmc-incremental
//@ verdict false
#include <assert.h>
#include <unistd.h>
int main(void)
{
    assert(getpid() != 17);
    return 0;
}
