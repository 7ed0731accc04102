//@ check --property user.assert --engine bmc-incremental
//@ verdict true
#include <assert.h>
#include <string.h>
int main(void)
{
    assert(strcmp("a", "c") < 0 && strcmp("c", "a") > 0 && strcmp("a", "a") == 0);
    return 0;
}
