//@ check --property unreach-call
//@ verdict true
//@ assumed evaluation-order
extern void reach_error(void);
int g;
int f(void) { return g++; }
int main(void) { int x = ((f() + f()) + (f() + f())) + ((f() + f()) + (f() + f())); if (x != 28) reach_error(); return 0; }
