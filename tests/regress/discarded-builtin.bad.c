//@ check
//@ verdict false(arith.division-by-zero)
//@ check --property arith.division-by-zero
//@ verdict false(arith.division-by-zero)
/* The arguments of a builtin whose value nobody uses are evaluated. */
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int z = __VERIFIER_nondet_int();
    __builtin_expect(10 / z, 0);
    return 0;
}
