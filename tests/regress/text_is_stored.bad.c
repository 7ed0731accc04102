//@ check --property default --engine bmc-incremental
//@ verdict false
int sprintf(char *, const char *, ...);
void __VERIFIER_assert(int);
int __VERIFIER_nondet_int(void);
int main(void)
{
    char text[6];
    sprintf(text, "%s-%c%d", "ab", 'c', 42);
    return 0;
}
