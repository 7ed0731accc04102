//@ check
//@ verdict false(memory.bounds)
#include <stdio.h>
int main(void)
{
    char b[4];
    tmpnam(b);
    return 0;
}
