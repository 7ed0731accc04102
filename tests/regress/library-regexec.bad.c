//@ check
//@ verdict false(memory.bounds)
#include <regex.h>
int main(void)
{
    char r[4];
    regcomp((regex_t *)r, "a", 0);
    return 0;
}
