//@ check
//@ verdict false(user.assert)
#include <assert.h>
#include <fenv.h>
int main(void)
{
    assert(fegetround() == FE_UPWARD);
    return 0;
}
