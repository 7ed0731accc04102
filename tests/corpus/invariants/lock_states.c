extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void) {
    int locked = 0;
    while (__VERIFIER_nondet_int()) {
        if (locked == 0 && __VERIFIER_nondet_int())
            locked = 1;
        else if (locked == 1)
            locked = 0;
        if (locked < 0 || locked > 1)
            reach_error();
    }
    return 0;
}
