//@ check --property memory.bounds --engine bmc-incremental
//@ verdict true
#include <poll.h>
int main(void)
{
    struct pollfd p[2] = { { 0 } };
    poll(p, 2, 1);
    return 0;
}
