//@ check
//@ verdict false(user.assert)
#include <assert.h>
#include <time.h>
int main(void)
{
    assert(clock() != -1);
    return 0;
}
