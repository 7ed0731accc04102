//@ check --property user.assert --engine bmc-incremental
//@ verdict false
#include <assert.h>
#include <unistd.h>
int main(void)
{
    char a[] = "p", b[] = "-x", *v[] = { a, b, 0 };
    assert(getopt(2, v, "x:") == 'x');
    return 0;
}
