//@ check --property unreach-call --engine bmc-incremental
//@ verdict false
/* Characters are not aligned. */
typedef unsigned long uintptr_t;
extern void reach_error(void);
void *memcpy(void *, const void *, unsigned long);
void check(int c)
{
    if (!c)
        reach_error();
}

char g[4];
int main(void)
{
    check(((uintptr_t)g & 3) == 0);
    return 0;
}
