//@ check --property unreach-call
//@ verdict false(unreach-call)
//@ check --property unreach-call --data-model ILP32
//@ verdict false(unreach-call)
//@ check
//@ verdict false(call.type)
#include <stdlib.h>
extern void reach_error(void);
short cmp(const int *a) { reach_error(); return 0; }
int main(void) { int a[2] = {1, 3}, k = 3; bsearch(&k, a, 2, sizeof *a, (int (*)(const void *, const void *))cmp); return 0; }
