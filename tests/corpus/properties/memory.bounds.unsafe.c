// One step too far.
#include <stdlib.h>

static void fill(int *numbers, int n)
{
    for (int i = 0; i <= n; i++)
        numbers[i] = i; //~ memory.bounds
}

int main(void)
{
    int *numbers = malloc(3 * sizeof *numbers);
    fill(numbers, 2);
    fill(numbers, 3);
    free(numbers);
    return 0;
}
