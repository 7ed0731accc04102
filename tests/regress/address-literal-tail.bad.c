//@ property: unreach-call
//@ verdict: false
//@ engines: bmc-incremental

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
