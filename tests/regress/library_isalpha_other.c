//@ check --property user.assert --engine bmc-incremental
//@ verdict true
#include <assert.h>
#include <ctype.h>
int main(void)
{
    assert(!(isalpha)('1') == !(isalpha)('2'));
    return 0;
}
