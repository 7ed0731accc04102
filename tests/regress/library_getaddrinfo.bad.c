//@ property: valid-memtrack
//@ verdict: false
//@ engines: bmc-incremental
#include <stddef.h>
#include <sys/types.h>
#include <sys/socket.h>
#include <netdb.h>
int main(void)
{
    struct addrinfo *a;
    getaddrinfo("h", 0, 0, &a);
    return 0;
}
