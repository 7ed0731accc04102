//@ check --property unreach-call --engine bmc-incremental
//@ verdict true
/* Different objects have different addresses. */
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
    check(a + 1 != b && a != b && a != b + 1 && &a[0] != &b[1]);
    return 0;
}
