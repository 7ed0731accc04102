//@ check
//@ verdict true
#include <unistd.h>
int main(void)
{
    int e[2];
    pipe(e);
    return 0;
}
