//@ check --property unreach-call --engine bmc-incremental
//@ verdict false
/* A pointer of unknown origin may be the address of any object. */
extern void reach_error(void);
extern void *__VERIFIER_nondet_pointer(void);

void g(void) {}
int main(void)
{
    void (*p)(void) = (void (*)(void))__VERIFIER_nondet_pointer();
    if (p == g)
        reach_error();
    return 0;
}
