//@ property: valid-memsafety
//@ verdict: true
//@ engines: portfolio shapes
// A list is made, walked and freed.
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
        free(list);
        list = next;
    }
    return 0;
}
