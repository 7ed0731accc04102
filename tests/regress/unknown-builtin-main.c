//@ check
//@ verdict unknown
int main(void) { return __builtin_ia32_nobody_knows(1); }
