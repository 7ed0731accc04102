//@ check --function f --pointers valid:2 --property memory.leak,memory.null,memory.bounds
//@ verdict false(memory.leak)
struct node { int v; struct node *next; };
void *malloc(unsigned long);
int f(struct node *p, int *q) { q = malloc(4); return p[1].v; }
