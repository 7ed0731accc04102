//@ property: user.assert
//@ verdict: false
//@ engines: bmc-incremental
#include <assert.h>
#include <time.h>
int main(void)
{
    assert(clock() != -1);
    return 0;
}
