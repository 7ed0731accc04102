//@ property: memory.bounds
//@ verdict: false
//@ engines: bmc-incremental
#include <regex.h>
int main(void)
{
    char r[4];
    regcomp((regex_t *)r, "a", 0);
    return 0;
}
