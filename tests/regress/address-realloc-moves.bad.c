//@ check --property unreach-call --engine bmc-incremental
//@ verdict false
/* `realloc` may move. */
typedef unsigned long uintptr_t;
extern void reach_error(void);
void *malloc(unsigned long);
void *realloc(void *, unsigned long);
void free(void *);
void *memcpy(void *, const void *, unsigned long);
void check(int c)
{
    if (!c)
        reach_error();
}

int main(void)
{
    char *p = malloc(4);
    p[0] = 7;
    uintptr_t a = (uintptr_t)p;
    char *q = realloc(p, 8);
    check((uintptr_t)q == a);
    free(q);
    return 0;
}
