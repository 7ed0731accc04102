//@ property: valid-memtrack
//@ verdict: true
//@ engines: bmc-incremental
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
