// What is freed is what an allocation returned, also after the pointer went through other types and back.
#include <stdlib.h>

int main(void)
{
    int *numbers = calloc(4, sizeof *numbers);
    char *bytes = (char *)(numbers + 1);
    void *start = bytes - sizeof *numbers;
    free(start);
    return 0;
}
