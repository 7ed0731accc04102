//@ check --property memory.bounds --engine bmc-incremental
//@ verdict true
#include <sys/wait.h>
int main(void)
{
    int s;
    waitpid(-1, &s, 0);
    return 0;
}
