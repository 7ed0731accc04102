//@ check --property unreach-call --engine bmc-incremental
//@ verdict true
/* A pointer into an object is not null. */
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
void *memcpy(void *, const void *, unsigned long);
void check(int c)
{
    if (!c)
        reach_error();
}

int a[4];
int main(void)
{
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i > 4)
        return 0;
    int *p = a + i;
    check(p != 0);
    return 0;
}
