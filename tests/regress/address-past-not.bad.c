//@ check --property unreach-call --engine bmc-incremental
//@ verdict false
/* One past the end of an array need not be where another begins. */
extern void reach_error(void);
void *memcpy(void *, const void *, unsigned long);
void check(int c)
{
    if (!c)
        reach_error();
}

int a[2], b[2];
int main(void)
{
    check(a + 2 == b);
    return 0;
}
