//@ check
//@ verdict false(user.assert)
#include <assert.h>
int main(int argc, char **argv)
{
    if (argc == 3 && argv[1][0] == 'a' && argv[1][1] == 0)
        assert(argv[2][0] != 'b');
    return 0;
}
