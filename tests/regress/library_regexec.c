//@ check --property memory.bounds --engine bmc-incremental
//@ verdict true
#include <regex.h>
int main(void)
{
    regex_t r;
    if (regcomp(&r, "a", 0) == 0)
    regfree(&r);
    return 0;
}
