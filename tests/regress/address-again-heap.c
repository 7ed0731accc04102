//@ check --property unreach-call --engine bmc-incremental
//@ verdict true
/* Two objects that live at the same time have two addresses. */
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

    int *q = malloc(8);
    check(a != (uintptr_t)q);
    free(p);
    free(q);
    return 0;
}
