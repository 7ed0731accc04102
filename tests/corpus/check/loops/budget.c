//@ property: unreach-call
//@ verdict: true
//@ engines: kind
// One word gains what another loses: their sum stays at least a third.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int budget = __VERIFIER_nondet_int(), spent = 0, rounds = __VERIFIER_nondet_int();
    if (rounds < 1 || budget < rounds)
        return 0;
    while (spent < rounds) {
        spent++;
        budget--;
    }
    if (budget < 0)
        reach_error();
    return 0;
}
