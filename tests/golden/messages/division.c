//@ test check --engine bmc-incremental --violations first --property arith.division-by-zero
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned total = 0;
    for (unsigned i = 0; i < 20; i++) {
        total += i;
    }
    unsigned n = __VERIFIER_nondet_uint();
    return (int)(n / (total - 190));
}
