//@ check
//@ verdict false(user.assert)
#include <assert.h>
#include <unistd.h>
int main(void)
{
    assert(getpid() != 17);
    return 0;
}
