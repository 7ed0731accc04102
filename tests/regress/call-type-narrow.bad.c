//@ check --property unreach-call
//@ verdict false(unreach-call)
//@ check --property unreach-call --data-model ILP32
//@ verdict false(unreach-call)
//@ check
//@ verdict false(call.type)
// Only the low half of the word is read.
extern void reach_error(void);
int f(short a) { if (a == 1) reach_error(); return 0; }
int main(void) { return ((int (*)(int))f)(65537); }
