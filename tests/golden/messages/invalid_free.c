//@ test check --engine bmc-incremental --violations first --property memory.invalid-free
void *malloc(unsigned long);
void free(void *);

int main(void) {
    char *text = malloc(8);
    text++;
    free(text);
    return 0;
}
