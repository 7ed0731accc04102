//@ check --property unreach-call
//@ verdict false(unreach-call)
//@ check --property unreach-call --data-model ILP32
//@ verdict false(unreach-call)
//@ check
//@ verdict false(call.type)
extern void reach_error(void);
int f(int a, int b, int c) { reach_error(); return 0; }
union { int (*three)(int, int, int); void (*none)(void); } u;
int main(void) { u.three = f; u.none(); return 0; }
