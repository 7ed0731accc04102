//@ check --property unreach-call --engine bmc-incremental
//@ verdict true
/* Different literals are different objects. */
extern void reach_error(void);
void *memcpy(void *, const void *, unsigned long);
void check(int c)
{
    if (!c)
        reach_error();
}

int main(void)
{
    const char *a = "abc";
    const char *b = "abd";
    check(a != b && a + 1 != b && a[1] == b[1]);
    return 0;
}
