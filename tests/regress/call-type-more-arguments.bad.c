//@ check --property unreach-call
//@ verdict false(unreach-call)
//@ check --property unreach-call --data-model ILP32
//@ verdict false(unreach-call)
//@ check
//@ verdict false(call.type)
extern void reach_error(void);
void *start(void) { reach_error(); return 0; }
int main(void) { ((void *(*)(void *))start)(0); }
