//@ check --property unreach-call
//@ verdict unknown
# 1 "header.h" 1 3
static void __attribute__((constructor)) start(void) { __builtin_ia32_nobody_knows(1); }
# 8 "unknown-builtin-constructor.c" 2
extern void reach_error(void);
int main(void) { return 0; if (0) reach_error(); }
