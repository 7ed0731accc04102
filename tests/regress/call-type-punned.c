//@ check --property unreach-call
//@ verdict unknown
//@ check --property unreach-call --data-model ILP32
//@ verdict unknown
//@ check
//@ verdict false(call.type)
// A way through memory that no conversion shows.
extern void reach_error(void);
struct a { void (*f)(int, double); } a;
struct b { void (*f)(double); };
void f(int i, double d) { reach_error(); }
int main(void) { a.f = f; ((struct b *)&a)->f(1.0); return 0; }
