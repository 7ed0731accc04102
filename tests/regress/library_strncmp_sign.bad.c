//@ property: user.assert
//@ verdict: false
//@ engines: bmc-incremental
#include <assert.h>
#include <string.h>
int main(void)
{
    assert(strncmp("ab", "ac", 2) == -1);
    return 0;
}
