//@ check --property memory.bounds --engine bmc-incremental
//@ verdict false
#include <sys/utsname.h>
int main(void)
{
    char u[300];
    uname((struct utsname *)u);
    return 0;
}
