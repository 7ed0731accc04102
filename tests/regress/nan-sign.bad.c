//@ check --property unreach-call --engine bmc-incremental
//@ verdict false
/* The sign of a NaN is a bit. */
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
    x.d = -__builtin_nan("");
    check(!__builtin_signbit(x.d));
    return 0;
}
