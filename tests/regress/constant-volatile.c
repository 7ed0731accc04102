//@ check
//@ verdict true
// Reading it, each time an automatic one is declared, and writing what is only read as constant are no violations.
extern int __VERIFIER_nondet_int(void);
static const volatile int status = 1;
int main(void)
{
    int sum = 0;
    volatile int own = 2;
    const volatile int *read = &own;
    for (int i = 0; i < 2; i++) {
        const volatile int local = status;
        sum += local;
    }
    *(volatile int *)read = __VERIFIER_nondet_int() ? 3 : 4;
    return sum - 2;
}
