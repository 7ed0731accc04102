//@ property: memory.bounds
//@ verdict: true
//@ engines: bmc-incremental
#include <fcntl.h>
int main(void)
{
    struct flock l;
    fcntl(3, F_GETLK, &l);
    return 0;
}
