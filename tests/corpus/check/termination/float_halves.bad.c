//@ property: termination
//@ verdict: false
//@ engines: portfolio
// A sum that is too large to be changed by what is added.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    float x = 16777216.0f;
    while (x < 20000000.0f)
        x += 1.0f;
}
