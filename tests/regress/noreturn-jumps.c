//@ check --property call.noreturn --engine bmc-incremental
//@ verdict true
#include <setjmp.h>
static jmp_buf back;
_Noreturn static void leave(int status)
{
    longjmp(back, status);
}
int main(void)
{
    if (setjmp(back) == 0)
        leave(1);
    return 0;
}
