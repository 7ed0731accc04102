//@ check --property memory.bounds --engine bmc-incremental
//@ verdict false
#include <assert.h>
#include <stdlib.h>
static int compare(const void *a, const void *b)
{
    return *(const int *)a / 10 - *(const int *)b / 10;
}

int main(void)
{
    int a[3] = { 1, 2, 3 };
    qsort(a, 4, sizeof *a, compare);
    return 0;
}
