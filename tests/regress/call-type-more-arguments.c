//@ check --property unreach-call
//@ verdict true
//@ check --property unreach-call --data-model ILP32
//@ verdict true
//@ check
//@ verdict false(call.type)
extern void reach_error(void);
void *start(void) { return 0; }
int main(void) { if (((void *(*)(void *))start)(0) != 0) reach_error(); }
