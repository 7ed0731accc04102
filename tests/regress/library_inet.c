//@ check --property memory.bounds --engine bmc-incremental
//@ verdict true
#include <assert.h>
#include <arpa/inet.h>
int main(void)
{
    unsigned a;
    assert(inet_pton(AF_INET, "127.0.0.1", &a) == 1 && a == 0x0100007f && inet_pton(AF_INET, "1.2.3", &a) == 0);
    return 0;
}
