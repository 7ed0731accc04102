//@ check --property user.assert --engine bmc-incremental
//@ verdict false
#include <assert.h>
#include <stdlib.h>
static void handler(int status, void *argument)
{
    (void)argument;
    assert(status == 3);
}

int main(void)
{
    on_exit(handler, 0);
    exit(4);
    return 0;
}
