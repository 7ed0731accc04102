//@ property: user.assert
//@ verdict: false
//@ engines: bmc-incremental
#include <assert.h>
#include <string.h>
int main(void)
{
    assert(memcmp("ac", "ab", 2) == 1);
    return 0;
}
