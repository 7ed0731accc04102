//@ check --property user.assert --engine bmc-incremental
//@ verdict false
#include <assert.h>
#include <ctype.h>
int main(void)
{
    assert((isalpha)('a') == (isalpha)('b'));
    return 0;
}
