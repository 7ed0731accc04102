//@ property: user.assert
//@ verdict: true
//@ engines: bmc-incremental
#include <assert.h>
#include <unistd.h>
int main(void)
{
    assert(getpid() == getpid() && getpid() > 0);
    return 0;
}
