//@ property: unreach-call
//@ verdict: false
//@ engines: bmc-incremental portfolio
// Twos and threes change places.
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
    int data = 3;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        if (data > 1 && __VERIFIER_nondet_int())
            data = 5 - data;
        node->data = data;
        node->next = list;
        list = node;
    }
    int last = 1;
    for (struct node *p = list; p; p = p->next) {
        if (p->data < last)
            reach_error();
        last = p->data;
    }
    return 0;
}
