//@ check --property unreach-call --engine localisation
//@ verdict true
// A lock in a program with memory that is too much for proofs about all of it.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct node { struct node *next; int data; };
static struct node *list;
static int held;
void *malloc(unsigned long);
static void lock(void) { if (held) reach_error(); held = 1; }
static void unlock(void) { if (!held) reach_error(); held = 0; }
static void work(void) {
    struct node *n = malloc(sizeof *n);
    n->next = list;
    n->data = list ? list->data + 1 : 0;
    list = n;
}
int main(void) {
    while (__VERIFIER_nondet_int()) {
        lock();
        work();
        unlock();
    }
    return 0;
}
