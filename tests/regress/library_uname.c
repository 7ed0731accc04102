//@ check --property memory.bounds --engine bmc-incremental
//@ verdict true
#include <sys/utsname.h>
int main(void)
{
    struct utsname u;
    uname(&u);
    return 0;
}
