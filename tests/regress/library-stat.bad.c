//@ check
//@ verdict false(memory.bounds)
#include <sys/stat.h>
int main(void)
{
    int s;
    stat("x", (struct stat *)&s);
    return 0;
}
