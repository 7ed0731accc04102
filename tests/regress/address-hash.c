//@ check --property unreach-call --engine bmc-incremental
//@ verdict true
/* An address is one. */
typedef unsigned long uintptr_t;
extern void reach_error(void);
void *memcpy(void *, const void *, unsigned long);
void check(int c)
{
    if (!c)
        reach_error();
}

int g, h;
int main(void)
{
    check((uintptr_t)&g % 64 != 7 && (uintptr_t)&g == (uintptr_t)&g && (uintptr_t)&g != (uintptr_t)&h);
    return 0;
}
