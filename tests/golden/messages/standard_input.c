//@ test check --engine bmc-incremental --violations first --property memory.bounds
#include <stdio.h>

int main(void) {
    char line[8];
    int n = 0, c;
    while ((c = getchar()) != EOF && c != '\n') {
        line[n++] = (char)c;
    }
    return line[0];
}
