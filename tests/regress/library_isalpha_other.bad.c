//@ property: user.assert
//@ verdict: false
//@ engines: bmc-incremental
#include <assert.h>
#include <ctype.h>
int main(void)
{
    assert((isalpha)('a') == (isalpha)('b'));
    return 0;
}
