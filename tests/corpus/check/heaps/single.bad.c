//@ property: valid-memsafety
//@ verdict: false
//@ engines: bmc-incremental portfolio
// Each round frees the node that comes next, and goes on there.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void *malloc(unsigned long);
extern void free(void *);

struct node {
    int data;
    struct node *next;
};

int main(void) {
    struct node *list = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        node->data = 1;
        node->next = list;
        list = node;
    }
    for (struct node *p = list; p; p = p->next)
        p->data++;
    while (list) {
        struct node *next = list->next;
        list = next;
        if (list)
            free(list);
    }
    return 0;
}
