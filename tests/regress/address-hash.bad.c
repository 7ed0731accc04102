//@ check --property unreach-call --engine bmc-incremental
//@ verdict false
/* An address is any that is aligned. */
typedef unsigned long uintptr_t;
extern void reach_error(void);
void *memcpy(void *, const void *, unsigned long);
void check(int c)
{
    if (!c)
        reach_error();
}

int g;
int main(void)
{
    check((uintptr_t)&g % 64 != 8);
    return 0;
}
