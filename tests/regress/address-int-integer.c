//@ check --property unreach-call --engine bmc-incremental
//@ verdict true
/* What is written through a number that is an address is written there. */
extern void reach_error(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
void *memcpy(void *, const void *, unsigned long);
void check(int c)
{
    if (!c)
        reach_error();
}

int g;
int main(void)
{
    int *p = (int *)__VERIFIER_nondet_ulong();
    if (p == &g) {
        *p = 3;
        check(g == 3);
    }
    return 0;
}
