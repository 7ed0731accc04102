//@ check
//@ verdict true
#include <assert.h>
#include <setjmp.h>
static jmp_buf buffer;
int main(void)
{
    volatile int x = 1;
    int y = 1, z = 1;
    y = 3;
    int status = setjmp(buffer);
    if (status == 0) {
        x = 2;
        longjmp(buffer, 5);
    }
    z = 7;
    assert(x == 2 && y == 3 && z == 7 && status == 5);
    return 0;
}
