// The sum is odd now and then.
#include <assert.h>

int main(void)
{
    int total = 0;
    for (int i = 1; i <= 4; i++) {
        total += i;
        assert(total != 6); //~ user.assert
    }
    return 0;
}
