//@ check --property default --engine bmc-incremental
//@ verdict true
int sprintf(char *, const char *, ...);
void __VERIFIER_assert(int);
int __VERIFIER_nondet_int(void);
int main(void)
{
    char text[8];
    int n = sprintf(text, "%s-%c%d", "ab", 'c', 42);
    __VERIFIER_assert(n == 6 && text[0] == 'a' && text[3] == 'c' && text[5] == '2' && text[6] == 0);
    return 0;
}
