extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void) {
    unsigned i = 0;
    while (i < 100) {
        if (i >= 1000)
            reach_error();
        i++;
    }
    if (i != 100)
        reach_error();
    return 0;
}
