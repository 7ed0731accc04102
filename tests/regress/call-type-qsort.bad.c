//@ check --property unreach-call
//@ verdict false(unreach-call)
//@ check --property unreach-call --data-model ILP32
//@ verdict false(unreach-call)
//@ check
//@ verdict false(call.type)
#include <stdlib.h>
extern void reach_error(void);
long cmp(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void) { int a[2] = {3, 1}; qsort(a, 2, sizeof *a, (int (*)(const void *, const void *))cmp); if (a[0] == 1) reach_error(); return 0; }
