//@ check --property memory.bounds --engine bmc-incremental
//@ verdict true
#include <sys/stat.h>
int main(void)
{
    struct stat s;
    if (stat("x", &s) == 0)
    return s.st_size & 0;
    return 0;
}
