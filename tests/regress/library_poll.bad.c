//@ check --property memory.bounds --engine bmc-incremental
//@ verdict false
#include <poll.h>
int main(void)
{
    struct pollfd p[2] = { { 0 } };
    poll(p, 3, 1);
    return 0;
}
