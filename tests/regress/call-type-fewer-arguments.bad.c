//@ check --property unreach-call
//@ verdict false(unreach-call)
//@ check --property unreach-call --data-model ILP32
//@ verdict false(unreach-call)
//@ check
//@ verdict false(call.type)
// The callee is not skipped: the register that nobody sets holds any value.
extern void reach_error(void);
int f(int a, int b) { if (a == 1 && b == 2) reach_error(); return 0; }
int main(void) { int (*p)(int) = (int (*)(int))f; return p(1); }
