//@ test check --engine bmc-incremental --violations first --property memory.leak
void *malloc(unsigned long);

int main(void) {
    int *p = 0;
    for (int i = 0; i < 3; i++) {
        p = malloc(4);
        *p = i;
    }
    return *p;
}
