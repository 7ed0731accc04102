//@ check --property memory.bounds --engine bmc-incremental
//@ verdict false
#include <fcntl.h>
int main(void)
{
    char l[4];
    fcntl(3, F_GETLK, l);
    return 0;
}
