//@ test check --engine bmc-incremental --violations first --property memory.cleanup
void *malloc(unsigned long);

static int *kept;

int main(void) {
    kept = malloc(40);
    return 0;
}
