//@ property: valid-memtrack
//@ verdict: false
//@ engines: bmc-incremental
#include <dirent.h>
int main(void)
{
    DIR *d = opendir("x");
    if (d)
    readdir(d);
    return 0;
}
