//@ check --property memory.bounds
//@ verdict true
/* The twin: only what fits is copied. */
#include <stdlib.h>
int main(void)
{
    char text[4];
    char *home = getenv("HOME");
    int i = 0;
    if (home) {
        for (; i < 3 && home[i] != 0; i++)
            text[i] = home[i];
        text[i] = 0;
    }
    return 0;
}
