//@ check --property unreach-call
//@ verdict false(unreach-call)
extern void reach_error(void);
int i, a[2];
int next(void) { i = 1; return 7; }
int main(void) { a[i] = next(); if (a[0] == 7) reach_error(); return 0; }
