//@ check
//@ verdict false(memory.read-only)
//@ check --property memory.read-only
//@ verdict false(memory.read-only)
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    const int a[3] = {1, 2, 3};
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i > 2)
        return 0;
    ((int *)a)[i] = 2;
    return a[0];
}
