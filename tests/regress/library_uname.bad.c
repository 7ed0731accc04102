//@ property: memory.bounds
//@ verdict: false
//@ engines: bmc-incremental
#include <sys/utsname.h>
int main(void)
{
    char u[300];
    uname((struct utsname *)u);
    return 0;
}
