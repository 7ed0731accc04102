//@ property: unreach-call
//@ verdict: true
//@ engines: dar imc impact ismc pdr portfolio predabs
// Nested loops without bound: the inner one never runs with an odd outer counter.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    unsigned i = 0;
    while (__VERIFIER_nondet_int()) {
        unsigned j = 0;
        while (__VERIFIER_nondet_int()) {
            if (i % 2 == 1)
                reach_error();
            j++;
        }
        i += 2;
    }
    return 0;
}
