//@ property: memory.bounds
//@ verdict: true
//@ engines: bmc-incremental
#include <unistd.h>
int main(void)
{
    char b[8];
    gethostname(b, 8);
    return 0;
}
