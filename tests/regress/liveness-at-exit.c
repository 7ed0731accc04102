//@ check --property liveness
//@ verdict true

/* A loop of the library that calls the user's function once. */
#include <stdlib.h>
extern void assert_live(int);
static void last(void) {}
int main(void) {
    assert_live(0);
    atexit(last);
    return 0;
}
