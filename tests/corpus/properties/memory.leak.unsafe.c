// The old text is forgotten when the new one takes its place.
#include <stdlib.h>

static char *name;

static void rename_to(char initial)
{
    name = malloc(2);
    name[0] = initial;
    name[1] = 0;
}

int main(void) //~ memory.leak
{
    rename_to('a');
    rename_to('b');
    free(name);
    return 0;
}
