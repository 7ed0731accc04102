// The table can still be reached when the program ends, so that nothing is lost, but nobody frees it.
#include <stdlib.h>

static int *table;

int main(void) //~ memory.cleanup
{
    table = calloc(10, sizeof *table);
    return table[3];
}
