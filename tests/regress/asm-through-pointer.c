//@ check --property user.assert
//@ verdict unknown
// The statement writes through a pointer.
#include <assert.h>
int main(void) {
    int n = 0;
    __asm__ volatile("movl $1, (%0)" : : "r"(&n) : "memory");
    assert(n == 0);
    return 0;
}
