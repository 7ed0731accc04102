//@ property: termination
//@ verdict: false
//@ engines: portfolio
// Each round moves the bits around.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    while (x)
        x = x << 16 | x >> 16;
}
