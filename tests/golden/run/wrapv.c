//@ test run --wrapv
#include <stdio.h>
int main(void)
{
    int x = 2147483647, y = -1;
    x++;
    y <<= 31;
    printf("%d %d\n", x, y);
    return 4;
}
