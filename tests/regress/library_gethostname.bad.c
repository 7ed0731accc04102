//@ check --property memory.bounds --engine bmc-incremental
//@ verdict false
#include <unistd.h>
int main(void)
{
    char b[8];
    gethostname(b, 9);
    return 0;
}
