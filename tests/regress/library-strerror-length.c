//@ check --unwind 12
//@ verdict false(user.assert)
#include <assert.h>
#include <string.h>
int main(void)
{
    assert(strlen(strerror(2)) < 8);
    return 0;
}
