//@ test run
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    puts("before");
    abort();
}
