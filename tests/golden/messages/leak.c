//@ test check --engine bmc-incremental --violations first --property memory.leak
void *malloc(unsigned long);
void free(void *);

struct node {
    struct node *next;
};

static struct node *push(struct node *rest) {
    struct node *n = malloc(sizeof *n);
    n->next = rest;
    return n;
}

int main(void) {
    struct node *list = push(push(0));
    struct node *head = list;
    list = 0;
    free(head);
    head = 0;
    return 0;
}
