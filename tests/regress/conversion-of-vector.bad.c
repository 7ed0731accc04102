//@ check --property arith.float-conversion
//@ verdict false(arith.float-conversion)
/* An element of a vector of floats does not fit the integers that it is converted to. */
typedef int ints __attribute__((vector_size(8)));
typedef float floats __attribute__((vector_size(8)));
extern float __VERIFIER_nondet_float(void);
int main(void)
{
    ints v = __builtin_convertvector((floats){1.5f, __VERIFIER_nondet_float()}, ints);
    return v[0] == 3;
}
