//@ check
//@ verdict false(memory.null)
/* A complex number that is computed for nothing is read all the same. */
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    _Complex double z = 1.0, *p = __VERIFIER_nondet_int() ? &z : 0;
    (void)~*p;
    return 0;
}
