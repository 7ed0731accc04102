//@ check --property user.assert
//@ verdict true
/* The result of `poll` is the number of those that are ready. */
#include <assert.h>
#include <poll.h>
int main(void)
{
    struct pollfd of = { 0, POLLIN, 0 };
    int n = poll(&of, 1, 0);
    assert(n < 0 || (n == 0) == (of.revents == 0));
    return 0;
}
