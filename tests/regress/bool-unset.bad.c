//@ check --property unreach-call --engine bmc-incremental
//@ verdict false
/* A `_Bool` that nobody has set is 0 or 1. */
extern void reach_error(void);
void *memcpy(void *, const void *, unsigned long);
void check(int c)
{
    if (!c)
        reach_error();
}

int main(void)
{
    _Bool b;
    check(b == 0);
    return 0;
}
