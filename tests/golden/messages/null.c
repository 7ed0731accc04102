//@ test check --engine bmc-incremental --violations first --property memory.null
void *malloc(unsigned long);

struct node {
    struct node *next;
    int value;
};

static struct node *find(struct node *n, int value) {
    while (n && n->value != value) {
        n = n->next;
    }
    return n;
}

int main(void) {
    struct node second = {0, 2}, first = {&second, 1};
    return find(&first, 3)->value;
}
