//@ check --property valid-memtrack --engine bmc-incremental
//@ verdict true
#include <dirent.h>
int main(void)
{
    DIR *d = opendir("x");
    if (d) {
    readdir(d);
    closedir(d);
    }
    return 0;
}
