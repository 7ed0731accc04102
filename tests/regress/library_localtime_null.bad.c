//@ property: memory.null
//@ verdict: false
//@ engines: bmc-incremental
#include <time.h>
int main(void)
{
    time_t t = 0;
    return localtime(&t)->tm_sec;
    return 0;
}
