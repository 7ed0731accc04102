//@ check
//@ verdict true
struct s { int a[4]; int n; };
int main(void) { struct s t; t.n = 1; __asm__("" : "+m"(t.a)); return t.n - 1; }
