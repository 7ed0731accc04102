//@ check --property valid-memtrack --engine bmc-incremental
//@ verdict false
#include <dirent.h>
int main(void)
{
    DIR *d = opendir("x");
    if (d)
    readdir(d);
    return 0;
}
