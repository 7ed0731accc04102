//@ check --property memory.bounds --engine bmc-incremental
//@ verdict true
#include <unistd.h>
int main(void)
{
    int e[2];
    pipe(e);
    return 0;
}
