//@ check
//@ verdict true
/* The twin: each fits. */
typedef int ints __attribute__((vector_size(8)));
typedef float floats __attribute__((vector_size(8)));
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void)
{
    _Complex double z = __VERIFIER_nondet_uchar();
    int x = z;
    _Complex int y = z * 2.0;
    ints v = __builtin_convertvector((floats){x, 1.5f}, ints);
    return v[1] + (int)y == 3;
}
