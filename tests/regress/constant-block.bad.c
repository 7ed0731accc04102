//@ check
//@ verdict false(memory.read-only)
//@ check --property memory.read-only
//@ verdict false(memory.read-only)
#include <string.h>
int main(void)
{
    for (int i = 0; i < 3; i++) {
        const int x = i;
        memset((void *)&x, 0, sizeof x);
    }
    return 0;
}
