//@ check --property unreach-call --engine bmc-incremental
//@ verdict false
/* What 0/0 gives on the machine is negative. */
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
    check(x.n >> 63 == 0);
    return 0;
}
