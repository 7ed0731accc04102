//@ check --property unreach-call --engine bmc-incremental
//@ verdict false
/* Equal literals may be two. */
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
    const char *b = "abc";
    check(a == b);
    return 0;
}
