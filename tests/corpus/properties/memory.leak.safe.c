// What is not freed can still be reached from a variable that lives to the end, directly or through other memory.
#include <stdlib.h>

struct node {
    struct node *next;
};

static struct node *list;

int main(void)
{
    for (int i = 0; i < 3; i++) {
        struct node *node = malloc(sizeof *node);
        node->next = list;
        list = node;
    }
    return 0;
}
