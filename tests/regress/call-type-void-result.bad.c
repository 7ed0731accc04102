//@ check --property unreach-call
//@ verdict false(unreach-call)
//@ check --property unreach-call --data-model ILP32
//@ verdict false(unreach-call)
//@ check
//@ verdict false(call.type)
// What the register of the result holds is any value.
extern void reach_error(void);
void f(void) {}
int main(void) { if (((int (*)(void))f)() == 5) reach_error(); return 0; }
