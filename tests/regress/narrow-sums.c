//@ check
//@ verdict true
struct f { unsigned long a : 3; int b : 31; };
extern int __VERIFIER_nondet_int(void);
int main(void) {
    struct f f = { 0 };
    f.a += 9;
    signed char c = (signed char)__VERIFIER_nondet_int();
    unsigned short s = (unsigned short)__VERIFIER_nondet_int();
    int product = c * c + s;
    return product - product + f.a - f.a;
}
