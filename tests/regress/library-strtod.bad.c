//@ check
//@ verdict false(user.assert)
#include <assert.h>
#include <stdlib.h>
int main(void)
{
    assert(atof("2.5") == 2);
    return 0;
}
