//@ check --property memory.bounds --engine bmc-incremental
//@ verdict false
int sprintf(char *, const char *, ...);
void __VERIFIER_assert(int);
int __VERIFIER_nondet_int(void);
int main(void)
{
    char text[11];
    sprintf(text, "%d", __VERIFIER_nondet_int());
    return 0;
}
