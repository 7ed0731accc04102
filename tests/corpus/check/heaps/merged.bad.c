//@ property: valid-memsafety
//@ verdict: false
//@ engines: portfolio
// A list is chosen that may have no node.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void *malloc(unsigned long);
extern void free(void *);

struct node {
    struct node *next;
    int data;
};

static struct node *build(void) {
    struct node *list = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        node->data = __VERIFIER_nondet_int();
        node->next = list;
        list = node;
    }
    return list;
}

int main(void) {
    struct node *a = build(), *b = build(), *merged = 0, **end = &merged;
    while (a || b) {
        struct node **from = !b ? &a : !a ? &a : a->data < b->data ? &a : &b;
        struct node *node = *from;
        *from = node->next;
        node->next = 0;
        *end = node;
        end = &node->next;
    }
    while (merged) {
        struct node *node = merged;
        merged = merged->next;
        free(node);
    }
    return 0;
}
