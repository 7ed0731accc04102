//@ check --property memory.bounds --engine bmc-incremental
//@ verdict false
#include <regex.h>
int main(void)
{
    char r[4];
    regcomp((regex_t *)r, "a", 0);
    return 0;
}
