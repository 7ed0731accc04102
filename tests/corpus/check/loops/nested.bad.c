//@ property: unreach-call
//@ verdict: false
//@ engines: bmc-incremental dar imc ismc kind pdr portfolio
// Nested loops without bound: the inner one can make the outer counter odd.
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
        i += j == 2 ? 1 : 2;
    }
    return 0;
}
