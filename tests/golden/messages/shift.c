//@ test check --engine bmc-incremental --violations first --property arith.shift
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned char n = __VERIFIER_nondet_uchar();
    return n > 40 && n < 42 ? 1 << n : 0;
}
