//@ check --property memory.bounds --engine bmc-incremental
//@ verdict false
#include <sys/random.h>
int main(void)
{
    char b[8];
    getrandom(b, 9, 0);
    return 0;
}
