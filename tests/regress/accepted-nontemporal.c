//@ check
//@ verdict true
int main(void) { int x = 3; __builtin_nontemporal_store(4, &x); return __builtin_nontemporal_load(&x) - 4; }
