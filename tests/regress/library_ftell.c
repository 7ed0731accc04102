//@ check --property user.assert
//@ verdict true
/* A stream is where it was put until it is read. */
#include <assert.h>
#include <stdio.h>
int main(void)
{
    FILE *file = fopen("x", "r");
    if (file == 0)
        return 0;
    if (fseek(file, 5, SEEK_SET) == 0) {
        long at = ftell(file);
        assert(at == 5 || at == -1);
    }
    fclose(file);
    return 0;
}
