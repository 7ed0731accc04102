//@ check --property memory.bounds --engine bmc-incremental
//@ verdict false
#include <stdlib.h>
int main(void)
{
    char *p = getenv("HOME");
    if (p)
    return p[300];
    return 0;
}
