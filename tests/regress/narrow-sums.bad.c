//@ check
//@ verdict false(arith.signed-overflow)
extern int __VERIFIER_nondet_int(void);
int main(void) {
    // Two factors of 16 bits have a product that 32 bits with a sign do not hold.
    unsigned short s = (unsigned short)__VERIFIER_nondet_int();
    return s * s > 5;
}
