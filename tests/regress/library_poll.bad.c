//@ property: memory.bounds
//@ verdict: false
//@ engines: bmc-incremental
#include <poll.h>
int main(void)
{
    struct pollfd p[2] = { { 0 } };
    poll(p, 3, 1);
    return 0;
}
