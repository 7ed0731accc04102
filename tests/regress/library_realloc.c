//@ check --property valid-memsafety --engine bmc-incremental
//@ verdict true
#include <stdlib.h>
int main(void)
{
    char *p = malloc(4);
    p = realloc(p, 8);
    p[7] = 1;
    free(p);
    return 0;
}
