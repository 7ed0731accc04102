//@ property: termination
//@ verdict: true
//@ engines: portfolio
// Ten rounds, whatever the float does.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    float x = 1.0f;
    for (int i = 0; i < 10 && x > 0.0f; i++)
        x = x / 2.0f;
}
