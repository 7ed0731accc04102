//@ check
//@ verdict false(memory.read-only)
//@ check --property valid-deref
//@ verdict false(valid-deref)
// Others may change an object that is constant and volatile; the program may not.
extern int __VERIFIER_nondet_int(void);
static const volatile int status = 1;
int main(void)
{
    volatile int own = 2;
    volatile int *p = __VERIFIER_nondet_int() ? &own : (volatile int *)&status;
    *p = 3;
    return 0;
}
