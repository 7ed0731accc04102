//@ property: termination
//@ verdict: false
//@ engines: portfolio
// Steps of 64 come around to where they were.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned char x = __VERIFIER_nondet_uint();
    while (x != 255)
        x += 64;
}
