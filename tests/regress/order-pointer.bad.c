//@ check --property unreach-call
//@ verdict false(unreach-call)
extern void reach_error(void);
int set(int *p) { *p = 5; return 0; }
int main(void) { int x = 1; int y = x + set(&x); if (y == 1) reach_error(); return 0; }
