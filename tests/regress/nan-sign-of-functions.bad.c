//@ check
//@ verdict false(reach.error)
// The sign of what is no number is not fixed by C; the C library of GNU makes some of them negative.
extern double cos(double), log2(double);
extern void reach_error(void);
int main(void)
{
    if (__builtin_signbit(cos(__builtin_inf())) && __builtin_signbit(log2(-0.1)))
        reach_error();
    return 0;
}
