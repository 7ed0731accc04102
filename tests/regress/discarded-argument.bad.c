//@ check --property memory.null
//@ verdict false(memory.null)
/* An argument that a function ignores is evaluated: the second of `__builtin_expect`, and one too many. */
extern int __VERIFIER_nondet_int(void);
static int nothing() { return 0; }
int main(void)
{
    int *p = 0;
    if (__VERIFIER_nondet_int())
        return __builtin_expect(1, *p);
    return nothing(*p);
}
