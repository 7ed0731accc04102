//@ check --property user.assert
//@ verdict false(user.assert)
/* A text that is put into the environment is the variable itself. */
#include <assert.h>
#include <stdlib.h>
int main(void)
{
    static char text[] = "A=1";
    if (putenv(text) == 0) {
        text[2] = '2';
        assert(getenv("A")[0] == '1');
    }
    return 0;
}
