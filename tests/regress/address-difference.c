//@ check --property unreach-call --engine bmc-incremental
//@ verdict true
/* Objects do not overlap. */
extern void reach_error(void);
void *memcpy(void *, const void *, unsigned long);
void check(int c)
{
    if (!c)
        reach_error();
}

int a[4], b[4];
int main(void)
{
    check(a - b != 2 && a + 3 - a == 3 && a - b == -(b - a));
    return 0;
}
