//@ property: user.assert
//@ verdict: false
//@ engines: bmc-incremental
#include <assert.h>
#include <arpa/inet.h>
int main(void)
{
    assert((htonl)(1) == 1);
    return 0;
}
