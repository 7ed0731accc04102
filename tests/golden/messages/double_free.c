//@ test check --engine bmc-incremental --violations first --property memory.double-free
void *malloc(unsigned long);
void free(void *);

int main(void) {
    char *p = malloc(3), *q = p;
    free(p);
    free(q);
    return 0;
}
