//@ check --property memory.bounds --engine bmc-incremental
//@ verdict true
#include <sys/random.h>
int main(void)
{
    char b[8];
    getrandom(b, 8, 0);
    return 0;
}
