//@ property: memory.bounds
//@ verdict: false
//@ engines: bmc-incremental
#include <stdlib.h>
int main(void)
{
    char *p = getenv("HOME");
    if (p)
    return p[300];
    return 0;
}
