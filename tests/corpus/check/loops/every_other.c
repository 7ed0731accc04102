//@ property: unreach-call
//@ verdict: true
//@ engines: kind
// What is counted in every other round is half of the rounds, in one phase rounded up.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int rounds = __VERIFIER_nondet_int(), counted = 0;
    if (rounds < 0 || rounds > 1000000)
        return 0;
    for (int i = 0; i < 2 * rounds; i++)
        if (i % 2 == 0)
            counted++;
    if (counted != rounds)
        reach_error();
    return 0;
}
