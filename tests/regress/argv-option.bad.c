//@ check
//@ verdict false(memory.null)
#include <string.h>
int main(int argc, char **argv)
{
    return argc > 0 && strcmp(argv[1], "-x") == 0;
}
