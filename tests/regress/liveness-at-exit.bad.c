//@ check --property liveness
//@ verdict unknown

/* The loop is one of the library, but what it calls keeps it going. */
#include <stdlib.h>
extern void assert_live(int);
static void last(void) { atexit(last); }
int main(void) {
    assert_live(0);
    atexit(last);
    return 0;
}
