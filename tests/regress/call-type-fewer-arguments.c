//@ check --property unreach-call
//@ verdict true
//@ check --property unreach-call --data-model ILP32
//@ verdict true
//@ check
//@ verdict false(call.type)
extern void reach_error(void);
int f(int a, int b) { if (a == 2 && b == 2) reach_error(); return 0; }
int main(void) { int (*p)(int) = (int (*)(int))f; return p(1); }
