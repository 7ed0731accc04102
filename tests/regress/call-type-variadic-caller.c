//@ check --property unreach-call
//@ verdict true
//@ check --property unreach-call --data-model ILP32
//@ verdict true
//@ check
//@ verdict false(call.type)
extern void reach_error(void);
int f(int n, char *x) { if (n != 1 || x != 0) reach_error(); return 0; }
int main(void) { return ((int (*)(int, ...))f)(1, (char *)0); }
