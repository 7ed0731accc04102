//@ test run --memory 16
// What is more than half of the address space cannot be had. Of what is less, only the used parts count.
#include <stdlib.h>

int main(void)
{
    if (malloc((size_t)-1) != NULL || calloc((size_t)1 << 40, (size_t)1 << 40) != NULL)
        return 1;
    size_t size = (size_t)1 << 40;
    char *large = malloc(size);
    large[size - 1] = 1;
    for (size_t at = 0; at < size; at += 4096)
        large[at] = 1;
    free(large);
    return 2;
}
