//@ property: memory.bounds
//@ verdict: true
//@ engines: bmc-incremental
#include <time.h>
int main(void)
{
    time_t t = 0;
    struct tm at;
    gmtime_r(&t, &at);
    return 0;
}
