//@ test check --engine bmc-incremental --violations first --property memory.null
#include <stdlib.h>

int main(int argc, char **argv) {
    return atoi(argv[1]);
}
