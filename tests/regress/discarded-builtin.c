//@ check
//@ verdict true
/* The twin: nothing is divided by zero. */
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int z = __VERIFIER_nondet_int();
    if (z > 0)
        __builtin_expect(10 / z, 0);
    return 0;
}
