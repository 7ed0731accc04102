//@ property: memory.bounds
//@ verdict: false
//@ engines: bmc-incremental
#include <sys/wait.h>
int main(void)
{
    char s;
    waitpid(-1, (int *)&s, 0);
    return 0;
}
