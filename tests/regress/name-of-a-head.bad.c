//@ check --property liveness
//@ verdict unknown

/* A variable of the user that is named as those that watch loops are: the recursion through the library never ends. */
#include <stdlib.h>
extern void assert_live(int);
static int vergo_k0;
static int compare(const void *a, const void *b) {
    (void)a;
    (void)b;
    if (vergo_k0) return 0;
    int two[2] = {1, 2};
    qsort(two, 2, sizeof(int), compare);
    return 0;
}
int main(void) {
    vergo_k0 = 0;
    assert_live(0);
    int two[2] = {1, 2};
    qsort(two, 2, sizeof(int), compare);
    return 0;
}
