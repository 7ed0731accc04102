//@ check --property unreach-call --engine bmc-incremental
//@ verdict false
/* A pointer of unknown origin may be the address of any object. */
extern void reach_error(void);
extern void *__VERIFIER_nondet_pointer(void);

char g[3];
int main(void)
{
    char *p = (char *)__VERIFIER_nondet_pointer();
    if (p == g + 1)
        reach_error();
    return 0;
}
