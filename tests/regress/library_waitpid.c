//@ property: memory.bounds
//@ verdict: true
//@ engines: bmc-incremental
#include <sys/wait.h>
int main(void)
{
    int s;
    waitpid(-1, &s, 0);
    return 0;
}
