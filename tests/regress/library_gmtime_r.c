//@ check --property memory.bounds --engine bmc-incremental
//@ verdict true
#include <time.h>
int main(void)
{
    time_t t = 0;
    struct tm at;
    gmtime_r(&t, &at);
    return 0;
}
