//@ test check --engine bmc-incremental --violations first --property memory.lifetime
void *malloc(unsigned long);
void free(void *);

static int *give(int fail) {
    int *p = malloc(sizeof *p);
    *p = 7;
    if (fail) {
        free(p);
    }
    return p;
}

int main(void) {
    return *give(1);
}
