//@ property: unreach-call
//@ verdict: false
//@ engines: bmc-incremental dar imc ismc kind pdr portfolio
// Two counters that are not always counted together.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    unsigned x = 0, y = 0;
    while (__VERIFIER_nondet_int()) {
        x += 3;
        if (x != 9)
            y += 3;
    }
    if (x != y)
        reach_error();
    return 0;
}
