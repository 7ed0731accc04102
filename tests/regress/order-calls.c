//@ check --property unreach-call
//@ verdict true
//@ not-assumed evaluation-order
extern void reach_error(void);
int g;
int f(void) { g += 1; return 0; }
int h(void) { g += 2; return 0; }
int main(void) { int x = f() + h(); if (g != 3 || x) reach_error(); return x; }
