//@ check --property user.assert --engine bmc-incremental
//@ verdict true
#include <assert.h>
#include <unistd.h>
int main(void)
{
    char a[] = "p", b[] = "-xv", *v[] = { a, b, 0 };
    assert(getopt(2, v, "x:") == 'x' && optarg[0] == 'v' && getopt(2, v, "x:") == -1);
    return 0;
}
