// The first bytes decide, but the arrays to be compared have to be there as a whole.
#include <string.h>

int main(void)
{
    char a[4] = "abc", b[8] = "xyz";
    return memcmp(a, b, 4) < 0 ? memcmp(a, b, 5) : 1; //~ memory.bounds
}
