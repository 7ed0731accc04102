//@ test check --engine bmc-incremental --violations first --property float.overflow
int main(void) {
    float area = 1e30f;
    for (int i = 0; i < 3; i++) {
        area = area * 1e5f;
    }
    return area > 0;
}
