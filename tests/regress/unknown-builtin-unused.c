//@ check --property unreach-call
//@ verdict true
# 1 "header.h" 1 3
static void unused(void) { __builtin_ia32_nobody_knows(1); }
# 8 "unknown-builtin-unused.c" 2
extern void reach_error(void);
int main(void) { int x = 0; if (x) reach_error(); return 0; }
