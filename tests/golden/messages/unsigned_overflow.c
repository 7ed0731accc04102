//@ test check --engine bmc-incremental --violations first --property arith.unsigned-overflow
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned used = __VERIFIER_nondet_uint(), size = 16;
    if (used < 16 || used > 17) {
        return 0;
    }
    unsigned left = size - used;
    return left > 0;
}
