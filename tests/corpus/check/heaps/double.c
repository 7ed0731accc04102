//@ property: valid-memcleanup
//@ verdict: true
//@ engines: portfolio shapes
// A node is taken out of the middle of a list with two directions, which is then freed from its end.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void *malloc(unsigned long);
extern void free(void *);

struct node {
    struct node *next;
    struct node *prev;
};

int main(void) {
    struct node *first = 0, *last = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        node->next = 0;
        node->prev = last;
        if (last)
            last->next = node;
        else
            first = node;
        last = node;
    }
    struct node *p = first;
    while (p && __VERIFIER_nondet_int())
        p = p->next;
    if (p) {
        if (p->prev)
            p->prev->next = p->next;
        else
            first = p->next;
        if (p->next)
            p->next->prev = p->prev;
        else
            last = p->prev;
        free(p);
    }
    while (last) {
        struct node *prev = last->prev;
        free(last);
        last = prev;
    }
    return 0;
}
