//@ test check --engine bmc-incremental --violations first --function ratio --property arith.division-by-zero
int ratio(int whole, int part) {
    if (whole < part) {
        return 0;
    }
    return whole / part;
}
