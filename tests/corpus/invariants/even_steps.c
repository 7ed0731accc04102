extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void) {
    unsigned steps = 0;
    while (__VERIFIER_nondet_int()) {
        steps += 2;
        if (steps == 7)
            reach_error();
    }
    return 0;
}
