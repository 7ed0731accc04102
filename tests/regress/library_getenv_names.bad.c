//@ property: user.assert
//@ verdict: false
//@ engines: bmc-incremental
#include <assert.h>
#include <stdlib.h>
int main(void)
{
    char *p = getenv("A"), *q = getenv("B");
    assert(p == q);
    return 0;
}
