extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void) {
    int limit = __VERIFIER_nondet_int();
    __VERIFIER_assume(limit >= 0 && limit <= 1000);
    for (int i = 0; i < limit; i++) {
        if (i < 0 || i >= 1000)
            reach_error();
    }
    return 0;
}
