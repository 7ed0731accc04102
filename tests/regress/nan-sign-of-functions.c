//@ check
//@ verdict true
// The result of a function is the same for the same arguments, also if it is no number.
extern double cos(double);
extern void reach_error(void);
int main(void)
{
    double a = cos(__builtin_inf()), b = cos(__builtin_inf());
    if (a == a || !__builtin_signbit(a) != !__builtin_signbit(b))
        reach_error();
    return 0;
}
