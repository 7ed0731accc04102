//@ check --property unreach-call
//@ verdict true
//@ check --property unreach-call --engine kind
//@ verdict true
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    for (unsigned i = 0; i < n; i++)
        ;
    if ("abc" == "abd")
        reach_error();
    return 0;
}
