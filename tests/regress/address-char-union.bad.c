//@ check --property unreach-call --engine bmc-incremental
//@ verdict false
/* A pointer of unknown origin may be the address of any object. */
extern void reach_error(void);
extern unsigned long __VERIFIER_nondet_ulong(void);

char g[3];
int main(void)
{
    union { unsigned long n; char *p; } u;
    u.n = __VERIFIER_nondet_ulong();
    char *p = u.p;
    if (p == g + 1)
        reach_error();
    return 0;
}
