//@ check --property unreach-call
//@ verdict unknown
//@ check --property unreach-call --data-model ILP32
//@ verdict unknown
//@ check
//@ verdict false(call.type)
extern void reach_error(void);
struct s { int a[5]; };
void f(struct s d) { reach_error(); }
int main(void) { ((void (*)(int))f)(3); return 0; }
