//@ check --function f --property unreach-call
//@ verdict false(unreach-call)
// Whoever calls the function may give it the address of a variable that other files can name.
int g;
void reach_error(void);
int f(int *p) { g = 0; *p = 1; if (g) reach_error(); return 0; }
