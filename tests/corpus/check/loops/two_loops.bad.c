//@ property: unreach-call
//@ verdict: false
//@ engines: bmc-incremental dar imc ismc kind pdr portfolio
// Two loops in a row, both without bound; the second ends what the first has set up.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int phase = 0;
    while (__VERIFIER_nondet_int()) {
        if (phase != 0)
            reach_error();
    }
    phase = 1;
    while (__VERIFIER_nondet_int()) {
        if (phase != 1)
            reach_error();
        phase = 2;
    }
    return 0;
}
