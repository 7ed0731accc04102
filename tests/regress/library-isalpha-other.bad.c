//@ check
//@ verdict false(user.assert)
#include <assert.h>
#include <ctype.h>
int main(void)
{
    assert((isalpha)('a') == (isalpha)('b'));
    return 0;
}
