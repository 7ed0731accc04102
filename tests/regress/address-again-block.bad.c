//@ check --property unreach-call --engine bmc-incremental
//@ verdict false
/* The address of a variable of a block that was left comes again. */
typedef unsigned long uintptr_t;
extern void reach_error(void);
void *memcpy(void *, const void *, unsigned long);
void check(int c)
{
    if (!c)
        reach_error();
}

int main(void)
{
    uintptr_t a, b;
    {
        int x;
        a = (uintptr_t)&x;
    }
    {
        int y;
        b = (uintptr_t)&y;
    }
    check(a != b);
    return 0;
}
