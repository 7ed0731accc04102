//@ test check --engine bmc-incremental --violations first --property memory.bounds
#include <string.h>

int main(void) {
    char name[8];
    strcpy(name, "too long a name");
    return name[0];
}
