//@ check --property user.assert
//@ verdict true
/* A file is where it was put. */
#include <assert.h>
#include <fcntl.h>
#include <unistd.h>
int main(void)
{
    off_t at = lseek(0, 5, SEEK_SET);
    assert(at == 5 || at == -1);
    return 0;
}
