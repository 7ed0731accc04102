//@ check
//@ verdict true
#include <stdlib.h>
int main(int argc, char **argv)
{
    if (argc < 2)
        return 1;
    int n = atoi(argv[1]), a[10] = {0};
    return n >= 0 && n < 10 ? a[n] : 0;
}
