//@ check --property user.assert --engine bmc-incremental
//@ verdict true
#include <assert.h>
#include <stdlib.h>
int main(void)
{
    srand(5);
    int a = rand(), b = rand();
    srand(5);
    assert(a == rand() && b == rand());
    return 0;
}
