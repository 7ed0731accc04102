//@ property: memory.bounds
//@ verdict: true
//@ engines: bmc-incremental
#include <regex.h>
int main(void)
{
    regex_t r;
    if (regcomp(&r, "a", 0) == 0)
    regfree(&r);
    return 0;
}
