//@ test check --engine bmc-incremental --violations first --property call.nonnull
static int first(const char *text) __attribute__((nonnull));
static int first(const char *text) {
    return 1;
}

int main(void) {
    const char *name = 0;
    return first(name);
}
