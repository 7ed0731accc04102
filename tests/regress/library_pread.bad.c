//@ property: memory.bounds
//@ verdict: false
//@ engines: bmc-incremental
#include <unistd.h>
int main(void)
{
    char b[8];
    pread(3, b, 9, 0);
    return 0;
}
