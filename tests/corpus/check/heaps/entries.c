//@ property: valid-memsafety
//@ verdict: true
//@ engines: portfolio shapes
// Links in the middle of entries, from which the entries are found by their distance.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void *malloc(unsigned long);
extern void free(void *);

struct link {
    struct link *next, *prev;
};

struct entry {
    int data;
    struct link link;
};

static struct link list = {&list, &list};

static void insert(struct link *new) {
    new->next = list.next;
    new->prev = &list;
    list.next->prev = new;
    list.next = new;
}

static void remove_link(struct link *old) {
    old->prev->next = old->next;
    old->next->prev = old->prev;
}

int main(void) {
    while (__VERIFIER_nondet_int()) {
        struct entry *entry = malloc(sizeof *entry);
        entry->data = __VERIFIER_nondet_int();
        insert(&entry->link);
    }
    while (list.next != &list) {
        struct link *link = list.next;
        struct entry *entry = (struct entry *)((char *)link - (unsigned long)&((struct entry *)0)->link);
        remove_link(link);
        free(entry);
    }
    return 0;
}
