//@ check --property unreach-call --engine bmc-incremental
//@ verdict false
/* A literal may be the end of another. */
extern void reach_error(void);
void *memcpy(void *, const void *, unsigned long);
void check(int c)
{
    if (!c)
        reach_error();
}

int main(void)
{
    const char *a = "xabc";
    const char *b = "abc";
    check(a + 1 != b);
    return 0;
}
