//@ property: valid-memsafety
//@ verdict: true
//@ engines: portfolio shapes
// Functions that take and return lists.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void *malloc(unsigned long);
extern void free(void *);

struct node {
    struct node *next;
    int number;
};

static struct node *build(int length) {
    struct node *list = 0;
    for (int i = 0; i < length; i++) {
        struct node *node = malloc(sizeof *node);
        node->next = list;
        node->number = i;
        list = node;
    }
    return list;
}

static struct node *turned(struct node *list) {
    struct node *turned = 0;
    while (list) {
        struct node *next = list->next;
        list->next = turned;
        turned = list;
        list = next;
    }
    return turned;
}

static void destroy(struct node *list) {
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
}

int main(void) {
    struct node *list = build(__VERIFIER_nondet_int());
    list = turned(list);
    list = turned(list);
    destroy(list);
    return 0;
}
