// Two owners of one buffer, and each of them frees it.
#include <stdlib.h>

struct buffer {
    char *bytes;
};

static void destroy(struct buffer *buffer)
{
    free(buffer->bytes); //~ memory.double-free
}

int main(void)
{
    struct buffer first = { malloc(8) };
    struct buffer second = first;
    destroy(&first);
    destroy(&second);
    return 0;
}
