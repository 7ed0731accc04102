//@ check --property user.assert --engine bmc-incremental
//@ verdict false
#include <assert.h>
#include <stdlib.h>
int main(void)
{
    div_t d = div(7, -2);
    assert(d.quot == -4);
    return 0;
}
