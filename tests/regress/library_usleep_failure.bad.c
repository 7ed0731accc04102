//@ check --property user.assert --engine bmc-incremental
//@ verdict false
#include <assert.h>
#include <unistd.h>
int main(void)
{
    assert(usleep(1) == 0);
    return 0;
}
