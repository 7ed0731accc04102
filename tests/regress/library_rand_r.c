//@ check --property user.assert --engine bmc-incremental
//@ verdict true
#include <assert.h>
#include <stdlib.h>
int main(void)
{
    unsigned s = 7, t = 7;
    assert(rand_r(&s) == rand_r(&t) && s == t);
    return 0;
}
