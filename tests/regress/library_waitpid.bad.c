//@ check --property memory.bounds --engine bmc-incremental
//@ verdict false
#include <sys/wait.h>
int main(void)
{
    char s;
    waitpid(-1, (int *)&s, 0);
    return 0;
}
