//@ check --property unreach-call --engine bmc-incremental
//@ verdict true
/* Pointers are equal if and only if their addresses are. */
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
    int *p = malloc(8);
    uintptr_t a = (uintptr_t)p;
    free(p);
    int *q = malloc(8);
    check(p == q || (uintptr_t)p != (uintptr_t)q);
    free(q);
    return 0;
}
