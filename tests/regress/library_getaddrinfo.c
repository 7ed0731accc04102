//@ check --property valid-memtrack --engine bmc-incremental
//@ verdict true
#include <stddef.h>
#include <sys/types.h>
#include <sys/socket.h>
#include <netdb.h>
int main(void)
{
    struct addrinfo *a;
    if (getaddrinfo("h", 0, 0, &a) == 0)
    freeaddrinfo(a);
    return 0;
}
