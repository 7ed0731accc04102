extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void) {
    _Bool done = 0;
    int result = 0;
    while (!done) {
        if (result != 0)
            reach_error();
        if (__VERIFIER_nondet_int()) {
            result = 1;
            done = 1;
        }
    }
    if (result != 1)
        reach_error();
    return 0;
}
