//@ check --property unreach-call --engine bmc-incremental
//@ verdict false
/* Objects lie in any order. */
extern void reach_error(void);
void *memcpy(void *, const void *, unsigned long);
void check(int c)
{
    if (!c)
        reach_error();
}

int g, h;
int main(void)
{
    check(&h <= &g);
    return 0;
}
