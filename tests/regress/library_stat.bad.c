//@ check --property memory.bounds --engine bmc-incremental
//@ verdict false
#include <sys/stat.h>
int main(void)
{
    int s;
    stat("x", (struct stat *)&s);
    return 0;
}
