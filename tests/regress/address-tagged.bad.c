//@ check --property unreach-call --engine bmc-incremental
//@ verdict false
/* A pointer that comes back from a number is the same. */
typedef unsigned long uintptr_t;
extern void reach_error(void);
void *malloc(unsigned long);
void free(void *);
void *memcpy(void *, const void *, unsigned long);
void check(int c)
{
    if (!c)
        reach_error();
}

int main(void)
{
    int *p = malloc(4);
    *p = 5;
    uintptr_t n = (uintptr_t)p | 1;
    int *q = (int *)(n & ~(uintptr_t)1);
    check(q != p || *q != 5);
    free(q);
    return 0;
}
