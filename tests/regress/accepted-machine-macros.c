//@ check
//@ verdict true
int x = __ATOMIC_SEQ_CST;
int main(void) { return __x86_64__ - 1 + x - 5; }
