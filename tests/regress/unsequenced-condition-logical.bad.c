//@ check
//@ verdict false(sequence.unsequenced)
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int i = 0, a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    return (a || i++) + (b && i++);
}
