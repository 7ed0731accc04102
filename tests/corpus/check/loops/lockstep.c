//@ property: unreach-call
//@ verdict: true
//@ engines: pdr portfolio
// Two counters that are counted together stay equal.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    unsigned x = 0, y = 0;
    while (__VERIFIER_nondet_int()) {
        x += 3;
        y += 3;
    }
    if (x != y)
        reach_error();
    return 0;
}
