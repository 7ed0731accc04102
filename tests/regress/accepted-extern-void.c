//@ check
//@ verdict unknown
extern void x;
int main(void) { return &x == 0; }
