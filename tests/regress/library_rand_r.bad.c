//@ check --property user.assert --engine bmc-incremental
//@ verdict false
#include <assert.h>
#include <stdlib.h>
int main(void)
{
    unsigned s = 7, t = 8;
    assert(rand_r(&s) == rand_r(&t));
    return 0;
}
