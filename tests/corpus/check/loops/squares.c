//@ property: unreach-call
//@ verdict: true
//@ engines: kind portfolio
// Adds up odd numbers, which makes squares; the invariant is a polynomial that no claim says.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int rounds = __VERIFIER_nondet_int();
    long long side = 0, odd = 1, area = 0;
    for (int i = 0; i < rounds; i++) {
        area += odd;
        odd += 2;
        side++;
    }
    if (area != side * side)
        reach_error();
    return 0;
}
