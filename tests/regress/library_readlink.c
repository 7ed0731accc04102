//@ check --property memory.bounds --engine bmc-incremental
//@ verdict true
#include <unistd.h>
int main(void)
{
    char b[8];
    ssize_t n = readlink("x", b, 7);
    if (n >= 0)
    b[n] = 0;
    return 0;
}
