//@ check --property memory.bounds --engine bmc-incremental
//@ verdict false
#include <unistd.h>
int main(void)
{
    char b[8];
    ssize_t n = readlink("x", b, 8);
    if (n >= 0)
    b[n] = 0;
    return 0;
}
