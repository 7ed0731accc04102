//@ check --property unreach-call
//@ verdict false(unreach-call)
//@ check --property unreach-call --data-model ILP32
//@ verdict false(unreach-call)
// Nobody says which of the two is called first.
extern void reach_error(void);
int g;
int f(void) { g = 1; return 0; }
int h(void) { g = 2; return 0; }
int main(void) { int x = f() + h(); if (g == 1) reach_error(); return x; }
