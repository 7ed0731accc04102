//@ check --property unreach-call --engine bmc-incremental
//@ verdict false
/* A number that is the address of a function calls it. */
extern void reach_error(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
void *memcpy(void *, const void *, unsigned long);
void check(int c)
{
    if (!c)
        reach_error();
}

int x;
void f(void) { x = 1; }
int main(void)
{
    void (*p)(void) = (void (*)(void))__VERIFIER_nondet_ulong();
    if (p == f) {
        p();
        check(x == 0);
    }
    return 0;
}
