//@ check --property unreach-call --engine bmc-incremental
//@ verdict false
/* A pointer of unknown origin may be the address of any object. */
extern void reach_error(void);
extern unsigned long __VERIFIER_nondet_ulong(void);

void g(void) {}
int main(void)
{
    union { unsigned long n; void (*p)(void); } u;
    u.n = __VERIFIER_nondet_ulong();
    void (*p)(void) = u.p;
    if (p == g)
        reach_error();
    return 0;
}
