//@ check
//@ verdict true
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 5) return 0;
    struct { int before; char text[n]; int behind; } s;
    s.behind = 3;
    s.text[n - 1] = 1;
    return s.behind;
}
