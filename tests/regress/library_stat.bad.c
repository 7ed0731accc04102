//@ property: memory.bounds
//@ verdict: false
//@ engines: bmc-incremental
#include <sys/stat.h>
int main(void)
{
    int s;
    stat("x", (struct stat *)&s);
    return 0;
}
