//@ check --property memory.bounds --engine bmc-incremental
//@ verdict true
#include <sys/socket.h>
int main(void)
{
    char b[8];
    ssize_t n = recv(3, b, 8, 0);
    if (n > 0)
    return b[n - 1] & 0;
    return 0;
}
