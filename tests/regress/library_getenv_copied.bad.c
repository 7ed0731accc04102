//@ check --property memory.bounds --engine bmc-incremental
//@ verdict false(memory.bounds)
/* A variable of the environment may be longer than the array that it is copied to. */
#include <stdlib.h>
#include <string.h>
int main(void)
{
    char text[32];
    char *home = getenv("HOME");
    if (home)
        strcpy(text, home);
    return 0;
}
