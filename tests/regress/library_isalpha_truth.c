//@ property: user.assert
//@ verdict: true
//@ engines: bmc-incremental
#include <assert.h>
#include <ctype.h>
int main(void)
{
    assert((isalpha)('a') && !(isalpha)('1') && (isalpha)('a') == (isalpha)('a'));
    return 0;
}
