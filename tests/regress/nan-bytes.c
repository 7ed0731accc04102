//@ check --property unreach-call --engine bmc-incremental
//@ verdict true
/* A copy of the bytes of a NaN has its bits. */
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
    x.n = 0xfff0000000000007;
    double z;
    memcpy(&z, &x.d, sizeof z);
    unsigned long n;
    memcpy(&n, &z, sizeof n);
    check(n == 0xfff0000000000007);
    return 0;
}
