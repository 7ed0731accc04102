//@ property: unreach-call
//@ verdict: false
//@ engines: bmc-incremental portfolio
// One word gains what another loses, which may have been one too few.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int budget = __VERIFIER_nondet_int(), spent = 0, rounds = __VERIFIER_nondet_int();
    if (rounds < 1 || budget < rounds - 1)
        return 0;
    while (spent < rounds) {
        spent++;
        budget--;
    }
    if (budget < 0)
        reach_error();
    return 0;
}
