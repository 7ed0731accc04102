//@ check --property unreach-call --engine bmc-incremental
//@ verdict true
/* What is not freed keeps its address. */
extern void reach_error(void);
void *malloc(unsigned long);
void *memcpy(void *, const void *, unsigned long);
void check(int c)
{
    if (!c)
        reach_error();
}

int main(void)
{
    int *last = 0;
    for (int i = 0; i < 3; i++) {
        int *p = malloc(4);
        check(p != last);
        last = p;
    }
    return 0;
}
