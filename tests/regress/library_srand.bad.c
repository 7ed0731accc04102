//@ check --property user.assert --engine bmc-incremental
//@ verdict false
#include <assert.h>
#include <stdlib.h>
int main(void)
{
    srand(5);
    int a = rand();
    srand(6);
    assert(a == rand());
    return 0;
}
