//@ check --property unreach-call
//@ verdict false(unreach-call)
//@ check --property unreach-call --engine kind
//@ verdict false(unreach-call)
// Literals of the same text may be one object, also behind a loop.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    for (unsigned i = 0; i < n; i++)
        ;
    if ("abc" == "abc")
        reach_error();
    return 0;
}
