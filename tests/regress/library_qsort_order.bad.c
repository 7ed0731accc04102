//@ check --property user.assert --engine bmc-incremental
//@ verdict false
#include <assert.h>
#include <stdlib.h>
static int compare(const void *a, const void *b)
{
    return *(const int *)a / 10 - *(const int *)b / 10;
}

int main(void)
{
    int a[2] = { 11, 12 };
    qsort(a, 2, sizeof *a, compare);
    assert(a[0] == 11);
    return 0;
}
