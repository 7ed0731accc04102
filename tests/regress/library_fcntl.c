//@ check --property memory.bounds --engine bmc-incremental
//@ verdict true
#include <fcntl.h>
int main(void)
{
    struct flock l;
    fcntl(3, F_GETLK, &l);
    return 0;
}
