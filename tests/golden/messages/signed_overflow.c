//@ test check --engine bmc-incremental --violations first --property arith.signed-overflow
extern int __VERIFIER_nondet_int(void);

static int twice(int x) {
    return x + x;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1000 || n > 1100) {
        return 0;
    }
    int sum = 2147483000;
    sum += twice(n);
    return sum;
}
