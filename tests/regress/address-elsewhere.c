//@ check
//@ verdict true
/* Of objects whose size is unknown only addresses are used. */
#include <assert.h>
#include <stdint.h>
extern int a[];
extern void x;
extern char begin[], end[];
int main(void)
{
    uintptr_t number = (uintptr_t)begin;
    void *p = &x;
    int *q = a;
    assert(a != 0 && number == (uintptr_t)begin && number != 0 && p != 0 && q && !!end);
    return 0;
}
