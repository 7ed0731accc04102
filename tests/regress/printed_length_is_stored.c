//@ check --property user.assert --engine bmc-incremental
//@ verdict true
int printf(const char *, ...);
void __VERIFIER_assert(int);
int main(void)
{
    int x = 5;
    printf("ab%n", &x);
    __VERIFIER_assert(x == 2);
    return 0;
}
