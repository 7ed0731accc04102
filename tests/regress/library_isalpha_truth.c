//@ check --property user.assert --engine bmc-incremental
//@ verdict true
#include <assert.h>
#include <ctype.h>
int main(void)
{
    assert((isalpha)('a') && !(isalpha)('1') && (isalpha)('a') == (isalpha)('a'));
    return 0;
}
