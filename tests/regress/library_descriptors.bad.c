//@ check --property user.assert
//@ verdict false(user.assert)
/* Files that are open at the same time have different descriptors. */
#include <assert.h>
#include <fcntl.h>
#include <unistd.h>
int main(void)
{
    int one = open("x", O_RDONLY);
    close(one);
    int other = open("y", O_RDONLY);
    if (one >= 0 && other >= 0)
        assert(one != other);
    return 0;
}
