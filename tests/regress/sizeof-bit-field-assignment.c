//@ check
//@ verdict true
struct s { unsigned a : 3; unsigned long b : 20; unsigned long d : 40; } t;
int main(void) { return sizeof(t.a += 1) - 1 + sizeof(t.b = 1) - 4 + sizeof(t.d++) - 8 + sizeof(0, t.a = 1) - 1; }
