//@ check
//@ verdict false(reach.unreachable)
static int f(int x) { __builtin_assume(x > 0); return x; }
int main(void) { return f(0); }
