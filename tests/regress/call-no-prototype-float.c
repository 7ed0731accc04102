//@ check --property unreach-call
//@ verdict unknown
//@ check --property unreach-call --data-model ILP32
//@ verdict unknown
//@ check
//@ verdict false(call.type)
extern void reach_error(void);
void f();
int main(void) { f(1.5); return 0; }
void f(int x) { if (x == 1) reach_error(); }
