//@ check --property user.assert --engine bmc-incremental
//@ verdict true
#include <assert.h>
#include <signal.h>
int main(void)
{
    struct sigaction a = { .sa_handler = SIG_IGN }, b;
    assert(sigaction(SIGINT, &a, 0) == 0 && sigaction(SIGINT, 0, &b) == 0 && b.sa_handler == SIG_IGN);
    return 0;
}
