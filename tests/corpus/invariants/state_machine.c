extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

static int state = 1;

int main(void) {
    do {
        int event = __VERIFIER_nondet_int();
        if (state < 1 || state > 3)
            reach_error();
        if (state == 1 && event > 0)
            state = 2;
        else if (state == 2)
            state = event == 0 ? 1 : 3;
        else if (state == 3)
            state = 1;
    } while (1);
}
