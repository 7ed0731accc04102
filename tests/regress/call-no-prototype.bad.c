//@ check --property unreach-call
//@ verdict false(unreach-call)
//@ check --property unreach-call --data-model ILP32
//@ verdict false(unreach-call)
//@ check
//@ verdict false(call.type)
// The definition wants two arguments; the call, which sees no prototype, passes one.
extern void reach_error(void);
void f();
int main(void) { f(1); return 0; }
void f(int x, int y) { if (x == 1 && y == 3) reach_error(); }
