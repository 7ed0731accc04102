//@ check
//@ verdict true
static int f(int x) { __builtin_assume(x > 0); return x; }
int main(void) { return f(1) - 1; }
