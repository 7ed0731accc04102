//@ check
//@ verdict false(reach.error)
// The sign of what is no number may be another one for another argument.
extern double log(double);
extern void reach_error(void);
int main(void)
{
    if (!__builtin_signbit(log(-1)) != !__builtin_signbit(log(-2)))
        reach_error();
    return 0;
}
