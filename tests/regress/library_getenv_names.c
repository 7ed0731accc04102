//@ check --property user.assert --engine bmc-incremental
//@ verdict true
#include <assert.h>
#include <stdlib.h>
int main(void)
{
    char *p = getenv("A"), *q = getenv("A");
    assert(p == q);
    return 0;
}
