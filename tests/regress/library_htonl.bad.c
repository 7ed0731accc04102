//@ check --property user.assert --engine bmc-incremental
//@ verdict false
#include <assert.h>
#include <arpa/inet.h>
int main(void)
{
    assert((htonl)(1) == 1);
    return 0;
}
