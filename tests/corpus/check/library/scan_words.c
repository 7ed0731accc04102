//@ property: valid-memsafety
//@ verdict: true
//@ engines: bmc-incremental portfolio
// A word with a width has room for its end.
#include <stdio.h>

int main(void) {
    char word[6], two[2], set[4];
    if (scanf("%5s %2c", word, two) != 2)
        return 1;
    if (scanf(" %3[a-c]", set) == 1 && (set[0] < 'a' || set[0] > 'c'))
        return word[7];
    return word[5] == 0 ? two[1] : 0;
}
