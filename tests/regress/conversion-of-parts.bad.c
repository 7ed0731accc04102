//@ check
//@ verdict false(arith.float-conversion)
//@ check --property arith.float-conversion
//@ verdict false(arith.float-conversion)
/* Parts of complex numbers, and elements of vectors, are converted as other numbers are. */
extern double __VERIFIER_nondet_double(void);
int main(void)
{
    _Complex double z = __VERIFIER_nondet_double();
    int x = z;
    return x == 3;
}
