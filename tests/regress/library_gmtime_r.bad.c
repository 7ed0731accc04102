//@ check --property memory.bounds --engine bmc-incremental
//@ verdict false
#include <time.h>
int main(void)
{
    time_t t = 0;
    int at[4];
    gmtime_r(&t, (struct tm *)at);
    return 0;
}
