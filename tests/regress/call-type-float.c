//@ check --property unreach-call
//@ verdict unknown
//@ check --property unreach-call --data-model ILP32
//@ verdict unknown
//@ check
//@ verdict false(call.type)
// Registers of different kinds: nobody can say what arrives.
extern void reach_error(void);
void f(double d) { reach_error(); }
int main(void) { ((void (*)(int))f)(3); return 0; }
