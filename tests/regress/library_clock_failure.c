//@ check --property user.assert --engine bmc-incremental
//@ verdict true
#include <assert.h>
#include <time.h>
int main(void)
{
    clock_t a = clock(), b = clock();
    assert(a == -1 || b == -1 || a <= b);
    return 0;
}
