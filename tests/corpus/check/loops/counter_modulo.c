//@ property: unreach-call
//@ verdict: true
//@ engines: dar imc impact ismc kind pdr portfolio predabs
// Counts modulo ten for ever, and never gets to ten.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    unsigned x = 0;
    while (__VERIFIER_nondet_int()) {
        x++;
        if (x == 10)
            x = 0;
        if (x == 10)
            reach_error();
    }
    return 0;
}
