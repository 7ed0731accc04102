//@ check --property unreach-call --engine bmc-incremental
//@ verdict true
/* Objects lie in some order. */
typedef unsigned long uintptr_t;
extern void reach_error(void);
void *memcpy(void *, const void *, unsigned long);
void check(int c)
{
    if (!c)
        reach_error();
}

int g, h, a[4];
int main(void)
{
    check((&g < &h) != (&h < &g) && a < a + 1 && a + 4 >= a + 3 && (&g <= &h) == ((uintptr_t)&g <= (uintptr_t)&h));
    return 0;
}
