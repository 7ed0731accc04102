//@ property: memory.null
//@ verdict: true
//@ engines: bmc-incremental
#include <time.h>
int main(void)
{
    time_t t = 0;
    struct tm *at = localtime(&t);
    if (at)
    return at->tm_sec;
    return 0;
}
