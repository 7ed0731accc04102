//@ check --property valid-memtrack --engine bmc-incremental
//@ verdict false
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
