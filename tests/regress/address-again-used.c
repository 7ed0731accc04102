//@ check --property unreach-call --engine bmc-incremental
//@ verdict true
/* A number that is the address of a live object leads there, wherever it comes from. */
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
    uintptr_t a = (uintptr_t)p;
    free(p);
    int *q = malloc(4);
    *q = 1;
    if (a == (uintptr_t)q) {
        *(int *)a = 2;
        check(*q == 2);
    }
    free(q);
    return 0;
}
