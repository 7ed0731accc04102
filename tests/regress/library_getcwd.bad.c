//@ property: memory.bounds
//@ verdict: false
//@ engines: bmc-incremental
#include <unistd.h>
int main(void)
{
    char b[8];
    getcwd(b, 9);
    return 0;
}
