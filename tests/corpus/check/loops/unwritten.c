//@ property: unreach-call
//@ verdict: true
//@ engines: imc kind pdr portfolio
// Unwritten values are any values, but each is the same in every round.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int unwritten;
    int copy = unwritten;
    while (__VERIFIER_nondet_int()) {
        if (copy != unwritten)
            reach_error();
    }
    return 0;
}
