//@ check --property user.assert
//@ verdict false(user.assert)
/* What is not volatile and has been changed since is indeterminate (C17 7.13.2.1p3). */
#include <assert.h>
#include <setjmp.h>
static jmp_buf buffer;
int main(void)
{
    int x = 1;
    if (setjmp(buffer) == 0) {
        x = 2;
        longjmp(buffer, 1);
    }
    assert(x == 2);
    return 0;
}
