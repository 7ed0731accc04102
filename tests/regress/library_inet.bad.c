//@ check --property memory.bounds --engine bmc-incremental
//@ verdict false
#include <assert.h>
#include <arpa/inet.h>
int main(void)
{
    char b[8];
    unsigned a = 0x0100007f;
    inet_ntop(AF_INET, &a, b, 16);
    return 0;
}
