extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

static int wait(int limit) {
    int waited = 0;
    while (waited < limit && __VERIFIER_nondet_int())
        waited++;
    return waited;
}

int main(void) {
    if (wait(3) > 3)
        reach_error();
    if (wait(7) > 7)
        reach_error();
    return 0;
}
