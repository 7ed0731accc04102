//@ check --property user.assert
//@ verdict false(user.assert)
// The output is any value, whatever else the statement does.
#include <assert.h>
int main(void) {
    long word = 0;
    __asm__ volatile("lock; btsq %1, %0" : "+m"(word) : "Ir"(3L) : "memory");
    assert(word == 0);
    return 0;
}
