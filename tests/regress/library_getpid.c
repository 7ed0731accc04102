//@ check --property user.assert --engine bmc-incremental
//@ verdict true
#include <assert.h>
#include <unistd.h>
int main(void)
{
    assert(getpid() == getpid() && getpid() > 0);
    return 0;
}
