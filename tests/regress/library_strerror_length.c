//@ property: user.assert
//@ verdict: false
//@ engines: bmc-incremental
#include <assert.h>
#include <string.h>
int main(void)
{
    assert(strlen(strerror(2)) < 8);
    return 0;
}
