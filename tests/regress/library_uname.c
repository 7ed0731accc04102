//@ property: memory.bounds
//@ verdict: true
//@ engines: bmc-incremental
#include <sys/utsname.h>
int main(void)
{
    struct utsname u;
    uname(&u);
    return 0;
}
