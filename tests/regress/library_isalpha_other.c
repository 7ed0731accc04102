//@ property: user.assert
//@ verdict: true
//@ engines: bmc-incremental
#include <assert.h>
#include <ctype.h>
int main(void)
{
    assert(!(isalpha)('1') == !(isalpha)('2'));
    return 0;
}
