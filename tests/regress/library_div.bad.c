//@ property: user.assert
//@ verdict: false
//@ engines: bmc-incremental
#include <assert.h>
#include <stdlib.h>
int main(void)
{
    div_t d = div(7, -2);
    assert(d.quot == -4);
    return 0;
}
