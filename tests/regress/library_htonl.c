//@ check --property user.assert --engine bmc-incremental
//@ verdict true
#include <assert.h>
#include <arpa/inet.h>
int main(void)
{
    assert((htonl)(0x01020304) == 0x04030201);
    return 0;
}
