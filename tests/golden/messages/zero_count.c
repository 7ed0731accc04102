//@ test check --engine bmc-incremental --violations first --property arith.zero-count
extern unsigned __VERIFIER_nondet_uint(void);

static int lowest(unsigned mask) {
    return __builtin_ctz(mask);
}

int main(void) {
    unsigned free_slots = __VERIFIER_nondet_uint();
    return lowest(free_slots & 12u);
}
