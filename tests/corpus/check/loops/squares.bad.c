//@ property: unreach-call
//@ verdict: false
//@ engines: bmc-incremental kind portfolio sampling
// Adds up odd numbers, but begins at two, and has no square after the first.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int rounds = __VERIFIER_nondet_int();
    long long side = 0, odd = 2, area = 0;
    for (int i = 0; i < rounds; i++) {
        area += odd;
        odd += 2;
        side++;
    }
    if (area != side * side)
        reach_error();
    return 0;
}
