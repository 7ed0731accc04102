//@ test check --engine bmc-incremental --violations first --property memory.alignment
static unsigned read_word(const unsigned char *bytes) {
    return *(const unsigned *)bytes;
}

static _Alignas(4) unsigned char message[8] = {1, 2, 3, 4, 5, 6, 7, 8};

int main(void) {
    return (int)read_word(message + 1);
}
