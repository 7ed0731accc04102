// The first and last elements of arrays on the stack, on the heap and static; the address behind the end is compared only.
#include <stdlib.h>
#include <string.h>

static int table[4] = { 1, 2, 3, 4 };

int main(void)
{
    int total = 0;
    for (const int *at = table; at != table + 4; at++)
        total += *at;
    char text[6];
    strcpy(text, "vergo");
    int *numbers = malloc(3 * sizeof *numbers);
    memset(numbers, 0, 3 * sizeof *numbers);
    numbers[2] = text[5];
    total += numbers[0] + numbers[2];
    free(numbers);
    return total == 10 ? 0 : 1;
}
