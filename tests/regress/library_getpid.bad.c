//@ property: user.assert
//@ verdict: false
//@ engines: bmc-incremental
#include <assert.h>
#include <unistd.h>
int main(void)
{
    assert(getpid() != 17);
    return 0;
}
