//@ test check --engine bmc-incremental --violations first --property reach.error
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned sum = 0;
    for (int i = 0; i < 3; i++) {
        sum += __VERIFIER_nondet_uchar();
    }
    if (sum == 700) {
        reach_error();
    }
    return 0;
}
