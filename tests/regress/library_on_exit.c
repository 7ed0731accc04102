//@ check --property user.assert --engine bmc-incremental
//@ verdict true
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
    exit(3);
    return 0;
}
