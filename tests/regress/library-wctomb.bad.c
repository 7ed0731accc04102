//@ check
//@ verdict false(memory.bounds)
#include <assert.h>
#include <stdlib.h>
int main(void)
{
    wchar_t w[2];
    mbstowcs(w, "ab", 3);
    return 0;
}
