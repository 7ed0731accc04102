//@ check --property unreach-call --engine bmc-incremental
//@ verdict false
/* An address comes again in the next round. */
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
    uintptr_t last = 0;
    for (int i = 0; i < 3; i++) {
        int *p = malloc(4);
        check((uintptr_t)p != last);
        last = (uintptr_t)p;
        free(p);
    }
    return 0;
}
