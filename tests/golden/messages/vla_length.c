//@ test check --engine bmc-incremental --violations first --property memory.vla-length
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < -1 || n > 3) {
        return 0;
    }
    int squares[n + 1];
    squares[0] = 1;
    return squares[0];
}
