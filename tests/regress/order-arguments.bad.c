//@ check --property unreach-call
//@ verdict false(unreach-call)
extern void reach_error(void);
int g;
int next(void) { return ++g; }
int less(int a, int b) { return a < b; }
int main(void) { if (less(next(), next())) reach_error(); return 0; }
