//@ check --property memory.null
//@ verdict true
/* The twin: what is read is there. */
extern int __VERIFIER_nondet_int(void);
static int nothing() { return 0; }
int main(void)
{
    int x = 1, *p = &x;
    if (__VERIFIER_nondet_int())
        return __builtin_expect(1, *p);
    return nothing(*p);
}
