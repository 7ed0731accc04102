//@ check --property user.assert
//@ verdict false(user.assert)
/* A file is where it was put. */
#include <assert.h>
#include <fcntl.h>
#include <unistd.h>
int main(void)
{
    off_t at = lseek(0, 5, SEEK_CUR);
    assert(at == 5 || at == -1);
    return 0;
}
