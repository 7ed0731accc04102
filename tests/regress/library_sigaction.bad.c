//@ check --property user.assert --engine bmc-incremental
//@ verdict false
#include <assert.h>
#include <signal.h>
int main(void)
{
    struct sigaction a = { .sa_handler = SIG_IGN };
    assert(sigaction(SIGKILL, &a, 0) == 0);
    return 0;
}
