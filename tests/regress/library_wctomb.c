//@ check --property memory.bounds --engine bmc-incremental
//@ verdict true
#include <assert.h>
#include <stdlib.h>
int main(void)
{
    wchar_t w[3];
    assert(mbstowcs(w, "ab", 3) == 2 && w[1] == L'b' && w[2] == 0);
    return 0;
}
