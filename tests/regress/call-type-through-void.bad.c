//@ check --property unreach-call
//@ verdict false(unreach-call)
//@ check --property unreach-call --data-model ILP32
//@ verdict false(unreach-call)
//@ check
//@ verdict false(call.type)
extern void reach_error(void);
int f(int a, int b, int c) { reach_error(); return 0; }
void *table[1] = {f};
int main(void) { int (*g)(void) = (int (*)(void))table[0]; return g(); }
