//@ property: user.assert
//@ verdict: true
//@ engines: bmc-incremental
#include <assert.h>
#include <arpa/inet.h>
int main(void)
{
    assert((htonl)(0x01020304) == 0x04030201);
    return 0;
}
