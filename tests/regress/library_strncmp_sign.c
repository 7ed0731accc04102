//@ property: user.assert
//@ verdict: true
//@ engines: bmc-incremental
#include <assert.h>
#include <string.h>
int main(void)
{
    assert(strncmp("ab", "ac", 2) < 0);
    assert(strncmp("ab", "ac", 2) == strncmp("ab", "ac", 2));
    return 0;
}
