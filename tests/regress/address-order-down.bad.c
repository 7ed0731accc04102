//@ check --property unreach-call --engine bmc-incremental
//@ verdict false
/* One before the first element is before it. */
extern void reach_error(void);
void *memcpy(void *, const void *, unsigned long);
void check(int c)
{
    if (!c)
        reach_error();
}

int a[3];
int main(void)
{
    int n = 0;
    for (int *p = a + 2; p >= a; p--)
        n++;
    check(n != 3);
    return 0;
}
