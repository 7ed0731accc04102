//@ check --property unreach-call
//@ verdict false(unreach-call)
//@ check --property unreach-call --data-model ILP32
//@ verdict false(unreach-call)
//@ check
//@ verdict false(call.type)
#include <signal.h>
extern void reach_error(void);
int handler(void) { reach_error(); return 0; }
int main(void) { signal(SIGINT, (void (*)(int))handler); raise(SIGINT); return 0; }
