//@ check
//@ verdict false(user.assert)
#include <assert.h>
#include <stdint.h>
extern int a[];
int main(void)
{
    assert((uintptr_t)a % 8 == 0);
    return 0;
}
