//@ test check --engine bmc-incremental --violations first --property float.nan
extern double __VERIFIER_nondet_double(void);

int main(void) {
    double x = 0.0, sum = 0.0;
    double mean = sum / x;
    return mean > 1.0;
}
