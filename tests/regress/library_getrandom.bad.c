//@ property: memory.bounds
//@ verdict: false
//@ engines: bmc-incremental
#include <sys/random.h>
int main(void)
{
    char b[8];
    getrandom(b, 9, 0);
    return 0;
}
