//@ check
//@ verdict false(user.assert)
#include <assert.h>
#include <string.h>
int main(void)
{
    assert(strncmp("ab", "ac", 2) == -1);
    return 0;
}
