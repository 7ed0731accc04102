//@ check --property memory.bounds --engine bmc-incremental
//@ verdict false
#include <unistd.h>
int main(void)
{
    char b[8];
    pread(3, b, 9, 0);
    return 0;
}
