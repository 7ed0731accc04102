//@ check --property user.assert --engine bmc-incremental
//@ verdict false
#include <assert.h>
#include <stdlib.h>
int main(void)
{
    char *p = getenv("A"), *q = getenv("B");
    assert(p == q);
    return 0;
}
