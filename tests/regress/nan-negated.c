//@ check --property unreach-call --engine portfolio
//@ verdict true
/* Negation and `fabs` change the sign of a NaN. */
extern void reach_error(void);
void *memcpy(void *, const void *, unsigned long);
void check(int c)
{
    if (!c)
        reach_error();
}

union both { double d; unsigned long n; };

int main(void)
{
    union both x;
    x.n = 0x7ff8000000000005;
    double z = -x.d;
    x.d = z;
    check(x.n == 0xfff8000000000005);
    x.d = __builtin_fabs(x.d);
    check(x.n == 0x7ff8000000000005);
    return 0;
}
