//@ property: user.assert
//@ verdict: false
//@ engines: bmc-incremental
#include <assert.h>
#include <stdlib.h>
int main(void)
{
    assert(atof("2.5") == 2);
    return 0;
}
