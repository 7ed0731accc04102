//@ test check --engine bmc-incremental --violations first --property memory.read-only
int main(void) {
    char *text = "abc";
    text[1] = 'x';
    return 0;
}
