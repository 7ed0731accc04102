//@ check --property memory.bounds --engine bmc-incremental
//@ verdict true
int sprintf(char *, const char *, ...);
void __VERIFIER_assert(int);
int __VERIFIER_nondet_int(void);
int main(void)
{
    char text[12];
    sprintf(text, "%d", __VERIFIER_nondet_int());
    return 0;
}
