extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void) {
    unsigned sent = 0, received = 0;
    while (__VERIFIER_nondet_int()) {
        sent++;
        received++;
        if (sent != received)
            reach_error();
    }
    return 0;
}
