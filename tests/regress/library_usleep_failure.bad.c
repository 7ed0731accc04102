//@ property: user.assert
//@ verdict: false
//@ engines: bmc-incremental
#include <assert.h>
#include <unistd.h>
int main(void)
{
    assert(usleep(1) == 0);
    return 0;
}
