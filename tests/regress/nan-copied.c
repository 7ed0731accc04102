//@ check --property unreach-call --engine portfolio
//@ verdict true
/* A copy of a NaN has its bits. */
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
    x.n = 0x7ff0000000000123;
    union both y;
    y.d = x.d;
    double z = y.d;
    x.d = z;
    check(x.n == 0x7ff0000000000123);
    return 0;
}
