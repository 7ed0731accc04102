//@ check --function f --pointers valid:2 --property memory.leak,memory.cleanup,memory.null,memory.bounds
//@ verdict true
struct node { int v; struct node *next; };
int f(struct node *p, int *q) { return p[1].v == *q; }
