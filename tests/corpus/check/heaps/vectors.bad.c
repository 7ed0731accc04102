//@ property: valid-memsafety
//@ verdict: false
//@ engines: portfolio
// Nodes of a list that have arrays, filled by index and read by a pointer.
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
extern void free(void *);

struct node {
    int *numbers;
    struct node *next;
};

static struct node *make(struct node *next) {
    struct node *node = malloc(sizeof *node);
    node->numbers = malloc(8 * sizeof(int));
    for (int i = 0; i < 8; i++)
        node->numbers[i] = __VERIFIER_nondet_int();
    node->next = next;
    return node;
}

static unsigned sum(const int *from, const int *end) {
    unsigned sum = 0;
    for (; from < end; from++)
        sum += *from;
    return sum;
}

int main(void) {
    struct node *list = 0;
    while (__VERIFIER_nondet_int())
        list = make(list);
    while (list) {
        struct node *next = list->next;
        sum(list->numbers, list->numbers + 9);
        free(list->numbers);
        free(list);
        list = next;
    }
    return 0;
}
