//@ check --property user.assert
//@ verdict true
/* A variable that was set has the value that it was set to. */
#include <assert.h>
#include <stdlib.h>
int main(void)
{
    if (setenv("A", "b", 1) == 0) {
        char *text = getenv("A");
        assert(text != 0 && text[0] == 'b' && text[1] == 0);
    }
    return 0;
}
