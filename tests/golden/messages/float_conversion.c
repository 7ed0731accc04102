//@ test check --engine bmc-incremental --violations first --property arith.float-conversion
static int round_up(double x) {
    return (int)(x + 0.5);
}

int main(void) {
    double scale = 1e6;
    return round_up(scale * 4000.0);
}
