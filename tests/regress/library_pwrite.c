//@ property: memory.bounds
//@ verdict: true
//@ engines: bmc-incremental
#include <unistd.h>
int main(void)
{
    char b[8] = { 0 };
    pwrite(3, b, 8, 0);
    return 0;
}
