//@ check --property unreach-call --engine bmc-incremental
//@ verdict true
/* What 0/0 gives is not a number. */
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
    double z = 0.0;
    x.d = z / z;
    check((x.n << 1 >> 53) == 0x7ff && x.d != x.d);
    return 0;
}
