//@ check --property unreach-call
//@ verdict true
//@ assumed arith.signed-overflow
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) { int x = __VERIFIER_nondet_int(), y = x + 1; if (y != 1 + x) reach_error(); return 0; }
