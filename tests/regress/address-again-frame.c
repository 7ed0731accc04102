//@ check --property unreach-call --engine bmc-incremental
//@ verdict true
/* A variable of the caller lives while that of the callee does. */
typedef unsigned long uintptr_t;
extern void reach_error(void);
void *memcpy(void *, const void *, unsigned long);
void check(int c)
{
    if (!c)
        reach_error();
}

uintptr_t f(int *outer)
{
    int x;
    check(&x != outer);
    return (uintptr_t)&x;
}
int main(void)
{
    int y;
    check(f(&y) != (uintptr_t)&y);
    return 0;
}
