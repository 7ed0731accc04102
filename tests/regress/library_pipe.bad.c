//@ property: memory.bounds
//@ verdict: false
//@ engines: bmc-incremental
#include <unistd.h>
int main(void)
{
    int e[1];
    pipe(e);
    return 0;
}
