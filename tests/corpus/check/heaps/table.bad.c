//@ property: valid-memsafety
//@ verdict: false
//@ engines: portfolio
// A list is put where another one is.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void *malloc(unsigned long);
extern void free(void *);

struct node {
    unsigned key;
    struct node *next;
};

int main(void) {
    struct node *table[3] = {0, 0, 0};
    while (__VERIFIER_nondet_int()) {
        unsigned key = __VERIFIER_nondet_int();
        struct node *node = malloc(sizeof *node);
        node->key = key;
        node->next = table[key % 3];
        table[(key + 1) % 3] = node;
    }
    for (int i = 0; i < 3; i++) {
        while (table[i]) {
            struct node *node = table[i];
            table[i] = node->next;
            free(node);
        }
    }
    return 0;
}
