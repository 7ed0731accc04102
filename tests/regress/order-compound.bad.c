//@ check --property unreach-call
//@ verdict false(unreach-call)
extern void reach_error(void);
int g = 1;
int set(void) { g = 5; return 1; }
int main(void) { g += set(); if (g == 2) reach_error(); return 0; }
