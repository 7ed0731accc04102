//@ check
//@ verdict false(memory.bounds)
/* A variable of the environment may be longer than the array that it is copied to. */
#include <stdlib.h>
#include <string.h>
int main(void)
{
    char text[256];
    char *home = getenv("HOME");
    if (home)
        strcpy(text, home);
    return 0;
}
