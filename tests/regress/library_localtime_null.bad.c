//@ check --property memory.null --engine bmc-incremental
//@ verdict false
#include <time.h>
int main(void)
{
    time_t t = 0;
    return localtime(&t)->tm_sec;
    return 0;
}
