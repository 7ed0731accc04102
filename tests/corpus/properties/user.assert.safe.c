// The assertions hold, and those that are not compiled do not count.
#include <assert.h>

int main(void)
{
    int total = 0;
    for (int i = 1; i <= 4; i++) {
        total += i;
        assert(total == i * (i + 1) / 2);
    }
    static_assert(sizeof(char) == 1, "a byte");
    return total == 10 ? 0 : 1;
}
