//@ check
//@ verdict true
#include <string.h>
int main(int argc, char **argv)
{
    return argc > 1 && strcmp(argv[1], "-x") == 0;
}
