//@ check --property unreach-call --engine bmc-incremental
//@ verdict false
/* A pointer of unknown origin may be the address of any object. */
extern void reach_error(void);
extern unsigned long __VERIFIER_nondet_ulong(void);

struct s { int a; char b; } g;
int main(void)
{
    union { unsigned long n; struct s *p; } u;
    u.n = __VERIFIER_nondet_ulong();
    struct s *p = u.p;
    if (p == &g)
        reach_error();
    return 0;
}
