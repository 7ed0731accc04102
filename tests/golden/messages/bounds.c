//@ test check --engine bmc-incremental --violations first --property memory.bounds
void *malloc(unsigned long);

int main(void) {
    int *p = malloc(4 * sizeof(int));
    int i = 0;
    while (i < 9) {
        p[i++] = 0;
    }
    return 0;
}
