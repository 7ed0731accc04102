//@ property: memory.bounds
//@ verdict: false
//@ engines: bmc-incremental
#include <time.h>
int main(void)
{
    time_t t = 0;
    int at[4];
    gmtime_r(&t, (struct tm *)at);
    return 0;
}
