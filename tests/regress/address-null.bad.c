//@ check --property unreach-call --engine bmc-incremental
//@ verdict false
/* A pointer that is moved by its own address is null. */
typedef unsigned long uintptr_t;
extern void reach_error(void);
void *memcpy(void *, const void *, unsigned long);
void check(int c)
{
    if (!c)
        reach_error();
}

char c;
int main(void)
{
    char *p = &c;
    p -= (uintptr_t)p;
    check(p != 0);
    return 0;
}
