// Each allocation is freed once; freeing null does nothing, and memory that has moved is freed at its new place.
#include <stdlib.h>

int main(void)
{
    char *text = malloc(4);
    text = realloc(text, 1000);
    free(text);
    text = NULL;
    free(text);
    return 0;
}
