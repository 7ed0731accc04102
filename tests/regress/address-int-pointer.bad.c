//@ check --property unreach-call --engine bmc-incremental
//@ verdict false
/* A pointer of unknown origin may be the address of any object. */
extern void reach_error(void);
extern void *__VERIFIER_nondet_pointer(void);

int g;
int main(void)
{
    int *p = (int *)__VERIFIER_nondet_pointer();
    if (p == &g)
        reach_error();
    return 0;
}
