//@ test check --engine bmc --unwind 2
unsigned nondet_uint(void);
void __VERIFIER_assert(int);

int main(void)
{
    unsigned n = 0;
    while (nondet_uint())
        n++;
    __VERIFIER_assert(n < 1000);
    return 0;
}
