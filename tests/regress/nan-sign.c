//@ check --property unreach-call --engine bmc-incremental
//@ verdict true
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
    x.d = __builtin_nan("");
    check(!__builtin_signbit(x.d) && __builtin_signbit(-x.d) && __builtin_signbit(-__builtin_nan("")));
    x.d = __builtin_copysign(__builtin_nan(""), -1.0);
    check(x.n >> 63 == 1);
    return 0;
}
