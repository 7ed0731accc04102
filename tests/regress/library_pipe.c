//@ property: memory.bounds
//@ verdict: true
//@ engines: bmc-incremental
#include <unistd.h>
int main(void)
{
    int e[2];
    pipe(e);
    return 0;
}
