//@ test check --engine bmc-incremental --violations first --property memory.leak
#include <stdlib.h>

struct buffer {
    char *data;
    int size;
};

static struct buffer *make(int size) {
    struct buffer *b = malloc(sizeof *b);
    b->data = malloc(size);
    b->size = size;
    return b;
}

int main(void) {
    struct buffer *b = make(10);
    b->data[0] = 'x';
    free(b);
    return 0;
}
