//@ check --property memory.null --engine bmc-incremental
//@ verdict true
#include <time.h>
int main(void)
{
    time_t t = 0;
    struct tm *at = localtime(&t);
    if (at)
    return at->tm_sec;
    return 0;
}
