//@ check
//@ verdict false(memory.bounds)
#include <sys/wait.h>
int main(void)
{
    char s;
    waitpid(-1, (int *)&s, 0);
    return 0;
}
