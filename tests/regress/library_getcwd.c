//@ check --property memory.bounds --engine bmc-incremental
//@ verdict true
#include <unistd.h>
int main(void)
{
    char b[8];
    getcwd(b, 8);
    return 0;
}
