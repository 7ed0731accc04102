//@ check --property unreach-call --engine bmc-incremental
//@ verdict false
/* The address of a variable of a call that has ended comes again. */
typedef unsigned long uintptr_t;
extern void reach_error(void);
void *memcpy(void *, const void *, unsigned long);
void check(int c)
{
    if (!c)
        reach_error();
}

uintptr_t f(void)
{
    int x;
    return (uintptr_t)&x;
}
uintptr_t g(void)
{
    int y;
    return (uintptr_t)&y;
}
int main(void)
{
    check(f() != g());
    return 0;
}
