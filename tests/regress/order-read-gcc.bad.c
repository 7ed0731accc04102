//@ check --property unreach-call
//@ verdict false(unreach-call)
extern void reach_error(void);
int g = 1;
int set(void) { g = 5; return 0; }
int main(void) { int x = g + set(); if (x == 5) reach_error(); return 0; }
