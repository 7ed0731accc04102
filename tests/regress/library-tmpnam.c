//@ check
//@ verdict true
#include <stdio.h>
int main(void)
{
    char b[L_tmpnam];
    tmpnam(b);
    return 0;
}
