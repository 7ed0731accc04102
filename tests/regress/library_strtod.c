//@ check --property user.assert --engine bmc-incremental
//@ verdict true
#include <assert.h>
#include <stdlib.h>
int main(void)
{
    char *end;
    const char *s = " -2.5e1x";
    assert(strtod(s, &end) == -25 && *end == 'x' && atof("0x10") == 16);
    return 0;
}
