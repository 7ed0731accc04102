//@ check
//@ verdict false(memory.bounds)
#include <unistd.h>
int main(void)
{
    int e[1];
    pipe(e);
    return 0;
}
