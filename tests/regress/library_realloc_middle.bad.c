//@ check --property valid-free --engine bmc-incremental
//@ verdict false
#include <stdlib.h>
int main(void)
{
    char *p = malloc(4);
    p = realloc(p + 1, 8);
    free(p);
    return 0;
}
