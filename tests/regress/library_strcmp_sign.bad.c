//@ property: user.assert
//@ verdict: false
//@ engines: bmc-incremental
#include <assert.h>
#include <string.h>
int main(void)
{
    assert(strcmp("a", "c") == -1);
    return 0;
}
