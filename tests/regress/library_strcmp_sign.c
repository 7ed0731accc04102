//@ property: user.assert
//@ verdict: true
//@ engines: bmc-incremental
#include <assert.h>
#include <string.h>
int main(void)
{
    assert(strcmp("a", "c") < 0 && strcmp("c", "a") > 0 && strcmp("a", "a") == 0);
    return 0;
}
