// The pointer has moved on from the start of its allocation.
#include <stdlib.h>

int main(void)
{
    char *text = malloc(4);
    text[0] = ' ';
    text[1] = 0;
    while (*text == ' ')
        text++;
    free(text); //~ memory.invalid-free
    return 0;
}
