//@ test check --engine bmc-incremental --violations first --property call.no-value
static int sign(int x) {
    if (x > 0) {
        return 1;
    }
    if (x < 0) {
        return -1;
    }
}

int main(void) {
    int zero = 0;
    return sign(zero);
}
