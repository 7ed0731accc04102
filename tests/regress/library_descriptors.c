//@ check --property user.assert
//@ verdict true
/* Files that are open at the same time have different descriptors. */
#include <assert.h>
#include <fcntl.h>
#include <unistd.h>
int main(void)
{
    int one = open("x", O_RDONLY), other = open("y", O_RDONLY), copy = dup(1);
    if (one >= 0 && other >= 0 && copy >= 0)
        assert(one != other && one != copy && other != copy);
    return 0;
}
