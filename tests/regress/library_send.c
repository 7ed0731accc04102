//@ check --property memory.bounds --engine bmc-incremental
//@ verdict true
#include <sys/socket.h>
int main(void)
{
    char b[8] = { 0 };
    send(3, b, 8, 0);
    return 0;
}
