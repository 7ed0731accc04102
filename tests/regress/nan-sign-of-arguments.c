//@ check
//@ verdict true
// The sign of what is no number is the same for the same arguments.
extern long double logl(long double);
extern double pow(double, double);
extern float acosf(float);
extern void reach_error(void);
int main(void)
{
    float x = 2;
    if (!__builtin_signbit(acosf(x)) != !__builtin_signbit(acosf(x + 0)))
        reach_error();
    if (!__builtin_signbit(pow(-2, 0.5)) != !__builtin_signbit(pow(-2, 0.5)))
        reach_error();
    if (!__builtin_signbit(logl(-3)) != !__builtin_signbit(logl(-3)))
        reach_error();
    return 0;
}
