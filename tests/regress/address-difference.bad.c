//@ check --property unreach-call --engine bmc-incremental
//@ verdict false
/* The difference of pointers to different objects is that of their addresses. */
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
    check(a - b != 4);
    return 0;
}
