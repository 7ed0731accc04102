//@ check --property memory.bounds --engine bmc-incremental
//@ verdict false
#include <unistd.h>
int main(void)
{
    int e[1];
    pipe(e);
    return 0;
}
