//@ property: valid-memsafety
//@ verdict: false
//@ engines: bmc-incremental portfolio
// A word without a width has room for nothing.
#include <stdio.h>

int main(void) {
    char word[600];
    if (fscanf(stdin, "%s", word) == 1)
        return word[0];
    return 0;
}
