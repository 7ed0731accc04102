//@ check --property user.assert
//@ verdict true
/* A text that is put into the environment is the variable itself. */
#include <assert.h>
#include <stdlib.h>
int main(void)
{
    static char text[] = "A=1";
    if (putenv(text) == 0) {
        text[2] = '2';
        assert(getenv("A") == text + 2 && getenv("A")[0] == '2');
    }
    return 0;
}
