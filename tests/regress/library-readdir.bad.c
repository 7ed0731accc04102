//@ check --property valid-memsafety
//@ verdict false(valid-memtrack)
#include <dirent.h>
int main(void)
{
    DIR *d = opendir("x");
    if (d)
    readdir(d);
    return 0;
}
