//@ check --property unreach-call
//@ verdict false(unreach-call)
//@ check --property unreach-call --data-model ILP32
//@ verdict false(unreach-call)
//@ check
//@ verdict false(call.type)
#include <stdlib.h>
extern void reach_error(void);
int last(int x) { reach_error(); return 0; }
int main(void) { atexit((void (*)(void))last); return 0; }
