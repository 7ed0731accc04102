// All indices are in range of their own array. A trailing array is bounded by what was allocated for it.
#include <stdlib.h>

struct message {
    int length;
    char text[1];
};

int main(void)
{
    int matrix[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };
    int total = 0;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++)
            total += matrix[i][j];
    struct message *message = malloc(sizeof(struct message) + 10);
    message->text[7] = 'x';
    total += message->text[7] == 'x';
    free(message);
    return total == 22 ? 0 : 1;
}
