//@ check
//@ verdict true
extern void x;
int main(void) { return &x == 0; }
