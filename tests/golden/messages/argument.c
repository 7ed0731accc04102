//@ test check --engine bmc-incremental --violations first --property call.argument
#include <string.h>

int main(void) {
    char line[16] = "abcdefgh";
    memcpy(line + 2, line, 6);
    return line[0];
}
