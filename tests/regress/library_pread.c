//@ check --property memory.bounds --engine bmc-incremental
//@ verdict true
#include <unistd.h>
int main(void)
{
    char b[8];
    pread(3, b, 8, 0);
    return 0;
}
