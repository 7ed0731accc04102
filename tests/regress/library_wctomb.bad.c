//@ check --property memory.bounds --engine bmc-incremental
//@ verdict false
#include <assert.h>
#include <stdlib.h>
int main(void)
{
    wchar_t w[2];
    mbstowcs(w, "ab", 3);
    return 0;
}
