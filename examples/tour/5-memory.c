/* Lesson 5: the life of memory.
   vergo check 5-memory.c --harness out
   The list is freed while it is walked. The harness is a C program that fails for real, to be run under a debugger. */
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

int main(void)
{
    struct node *list = 0;
    for (int i = 0; i < 3; i++) {
        struct node *node = malloc(sizeof *node);
        node->value = i;
        node->next = list;
        list = node;
    }
    for (struct node *node = list; node; node = node->next)
        free(node);
    return 0;
}
