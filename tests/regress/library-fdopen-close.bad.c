//@ check --property valid-memsafety
//@ verdict false(valid-memtrack)
#include <stdio.h>
int main(void)
{
    FILE *f = fdopen(1, "w");
    if (f)
    fputc(65, f);
    return 0;
}
