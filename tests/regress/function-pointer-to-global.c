//@ check --function f --property unreach-call
//@ verdict true
// No other file can name the variable, and nobody gives its address away.
static int g;
void reach_error(void);
int f(int *p) { g = 0; *p = 1; if (g) reach_error(); return 0; }
