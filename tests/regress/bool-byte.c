//@ check --property unreach-call --engine bmc-incremental
//@ verdict true
/* A `_Bool` whose byte is not zero is 1. */
extern void reach_error(void);
void *memcpy(void *, const void *, unsigned long);
void check(int c)
{
    if (!c)
        reach_error();
}

int main(void)
{
    union { unsigned char c; _Bool b; } u;
    u.c = 255;
    check(u.b == 1);
    return 0;
}
