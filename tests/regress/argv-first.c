//@ check
//@ verdict true
/* Only the arguments that are looked at are made. */
#include <assert.h>
int main(int argc, char **argv)
{
    assert(argv[0] != 0 && argv[argc] == 0);
    if (argc > 2 && argv[1] == argv[2])
        assert(0);
    char *first = argv[0];
    assert(first == *argv);
    return argv[0][0];
}
