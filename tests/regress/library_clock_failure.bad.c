//@ check --property user.assert --engine bmc-incremental
//@ verdict false
#include <assert.h>
#include <time.h>
int main(void)
{
    assert(clock() != -1);
    return 0;
}
